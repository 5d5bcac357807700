#include "input/layers/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string_view>

#include "text/did_you_mean.h"
#include "text/field.h"
#include "text/number.h"
#include "text/quote.h"

namespace mha::input {
namespace {

using text::field;

struct Kind {
  std::string_view name;
  bool (*allows)(double value);
  const char* allowed;
};

bool is_whole(double value) { return std::abs(value) < 0x1p53 && value == std::floor(value); }
bool is_count(double value) { return is_whole(value) && value >= 1.0; }
bool is_positive(double value) { return value > 0.0; }

constexpr std::array kKinds = {
    Kind{"causal", [](double value) { return value == 0.0 || value == 1.0; }, "true or false"},
    Kind{"scale", [](double /*value*/) { return true; }, "a number"},
    Kind{"offset", is_whole, "a whole number"},
    Kind{"window", is_count, "a whole number from 1 on"},
    Kind{"kv_length", [](double value) { return is_whole(value) && value >= 0.0; },
         "a whole number from 0 on"},
    Kind{"softcap", is_positive, "a number above 0"},
    Kind{"rope_base", [](double value) { return value >= 0.0; }, "a number above 0, or none"},
    Kind{"rope_dims", [](double value) { return is_count(value) && std::fmod(value, 2.0) == 0.0; },
         "an even number from 2 on"},
    Kind{"rope_pairs", [](double value) { return value == 0.0 || value == 1.0; }, "half or interleaved"},
    Kind{"norm_eps", [](double value) { return value >= 0.0; }, "a number from 0 on"},
};

const Kind* kind_of(std::string_view name) {
  const auto* const found =
      std::find_if(kKinds.begin(), kKinds.end(), [&](const Kind& kind) { return kind.name == name; });
  return found == kKinds.end() ? nullptr : found;
}

/// The words that stand for a number.
std::optional<double> word(std::string_view name, std::string_view text) {
  struct Word {
    std::string_view name, text;
    double number;
  };
  constexpr std::array kWords = {Word{"causal", "false", 0.0}, Word{"causal", "true", 1.0},
                                 Word{"rope_pairs", "half", 0.0}, Word{"rope_pairs", "interleaved", 1.0},
                                 Word{"rope_base", "none", 0.0}};
  for (const Word& known : kWords) {
    if (known.name == name && known.text == text) return known.number;
  }
  if (name == "causal" || name == "rope_pairs") return std::nullopt;
  return text::parse_double(text);
}

[[noreturn]] void refuse(const std::string& place, const std::string& value, const Kind& kind) {
  throw std::invalid_argument(fmt::format("{}: {} is not {}", place, value, kind.allowed));
}

}  // namespace

const std::vector<std::string>& Settings::names() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> all;
    for (const Kind& kind : kKinds) all.emplace_back(kind.name);
    return all;
  }();
  return kNames;
}

Settings::Settings(const std::vector<std::string>& given) {
  for (const std::string& one : given) {
    const std::size_t equals = one.find('=');
    const std::string name = one.substr(0, equals);
    const Kind* const kind = kind_of(name);
    if (equals == std::string::npos || kind == nullptr)
      throw std::invalid_argument(fmt::format("{} {}: is not NAME=VALUE with a name of {}{}", field("set"),
                                              text::in_quotes(one), fmt::join(names(), ", "),
                                              text::did_you_mean(name, names())));
    const std::string value = one.substr(equals + 1);
    const std::optional<double> number = word(name, value);
    const std::string place = fmt::format("{} {}", field("set"), name);
    if (!number || !std::isfinite(*number) || !kind->allows(*number) || (name == "rope_base" && value == "0"))
      refuse(place, text::in_quotes(value), *kind);
    if (!values_.emplace(name, Value{*number, true}).second)
      throw std::invalid_argument(fmt::format("{}: is given twice", place));
  }
}

void Settings::add_from(const Arrays& arrays) {
  for (const Kind& kind : kKinds) {
    const std::string name(kind.name);
    const Found found = arrays.find_beside(name);
    if (found.array == nullptr || values_.contains(name)) continue;
    const std::string place = place_of(found.file->name(), found.array->name);
    if (const auto* const texts = found.file->texts(found.array->name)) {
      const std::optional<double> number = texts->size() == 1 ? word(name, texts->front()) : std::nullopt;
      if (!number) refuse(place, text::in_quotes(texts->front()), kind);
      values_.emplace(name, Value{*number, false});
      continue;
    }
    found.file->require_numbers(*found.array);
    if (entries_of(found.array->shape, place) != 1)
      refuse(place, fmt::format("an array {}", shown_shape(found.array->shape)), kind);
    double number = 0.0;
    found.file->read(*found.array, 0, {&number, 1});
    if (!kind.allows(number) || name == "rope_pairs") refuse(place, fmt::to_string(number), kind);
    values_.emplace(name, Value{number, false});
  }
}

void Settings::add(const std::string& name, double value, const std::string& place) {
  const Kind& kind = *kind_of(name);
  if (!std::isfinite(value) || !kind.allows(value) || (name == "rope_base" && value == 0.0))
    refuse(fmt::format("{}: {}", place, name), fmt::to_string(value), kind);
  values_.emplace(name, Value{value, false});
}

std::optional<double> Settings::number(const std::string& name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? std::nullopt : std::optional(found->second.number);
}

std::optional<Index> Settings::whole(const std::string& name) const {
  const std::optional<double> value = number(name);
  return value ? std::optional(static_cast<Index>(*value)) : std::nullopt;
}

bool Settings::is_given(const std::string& name) const {
  const auto found = values_.find(name);
  return found != values_.end() && found->second.given;
}

}  // namespace mha::input
