#include "options/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "text/quote.h"

namespace mha::options {
namespace {

constexpr std::string_view kDefault = " (default: ";

}  // namespace

Option& Option::otherwise(const std::string& text) {
  help.insert(help.size() - 1, "; " + text);
  return *this;
}

Option& Option::default_is(const std::string& text) {
  help.resize(std::min(help.find(kDefault), help.size()));
  help += fmt::format("{}{})", kDefault, text);
  return *this;
}

Option& Options::add_any(std::string name, std::string label, std::string help, const std::string& initial) {
  Option& option = options_.emplace_back();
  option.name = std::move(name);
  option.label = std::move(label);
  option.help = std::move(help);
  option.section = section_;
  if (!initial.empty()) option.default_is(initial);
  return option;
}

Option& Options::choose(Option& option, std::vector<std::string> choices) {
  option.kind = Kind::kChoice;
  option.help.insert(std::min(option.help.find(kDefault), option.help.size()),
                     fmt::format(": {}", fmt::join(choices, ", ")));
  option.choices = std::move(choices);
  return option;
}

Option& Options::input_file(std::string name, std::string& value, std::string help) {
  Option& option = output(std::move(name), value, Kind::kFile, std::move(help));
  option.reads_file = true;
  return option;
}

Option& Options::output(std::string name, std::string& value, Kind kind, std::string help) {
  Option& option = add_any(std::move(name), kind == Kind::kDirectory ? "DIR" : "FILE", std::move(help), "");
  option.kind = kind;
  option.set = [name = option.name, &value](std::string_view text) {
    if (text.empty()) throw std::invalid_argument(fmt::format("{}: '' is not a name", name));
    value = text;
  };
  return option;
}

Option& Options::flag(std::string name, bool& value, std::string help) {
  Option& option = add_any(std::move(name), "", std::move(help), "");
  option.kind = Kind::kFlag;
  option.set = [&value](std::string_view) { value = true; };
  return option;
}

Option& Options::positional(std::string name, std::string label, std::vector<std::string> choices,
                            std::string help, std::function<void(std::size_t choice)> set) {
  Option& option = add_any(std::move(name), std::move(label), std::move(help), "");
  option.kind = Kind::kChoice;
  option.choices = std::move(choices);
  option.positional = true;
  option.set = [name = option.name, choices = option.choices, set = std::move(set)](std::string_view text) {
    const auto found = std::find(choices.begin(), choices.end(), text);
    if (found == choices.end())
      throw std::invalid_argument(
          fmt::format("{} {}: not {}", name, text::in_quotes(text), one_of(choices, text)));
    set(static_cast<std::size_t>(found - choices.begin()));
  };
  return option;
}

}  // namespace mha::options
