#include "options/values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "text/did_you_mean.h"
#include "text/number.h"
#include "text/quote.h"

namespace mha::options {
namespace {

constexpr std::uint64_t kLargestInt = (std::uint64_t{1} << 31) - 1;

/// Whole numbers from 1 to `most`.
template <typename T>
bool read_whole(std::string_view text, std::uint64_t most, T& value) {
  const std::optional<std::uint64_t> whole = text::parse_whole(text);
  if (!whole || *whole < 1 || *whole > most) return false;
  value = static_cast<T>(*whole);
  return true;
}

}  // namespace

void refuse_value(std::string_view option, std::string_view text, const std::string& allowed) {
  throw std::invalid_argument(fmt::format("{}: {} is not {}", option, text::in_quotes(text), allowed));
}

std::string one_of(const std::vector<std::string>& choices, std::string_view text) {
  return fmt::format("one of {}{}", fmt::join(choices, ", "), mha::text::did_you_mean(text, choices));
}

std::vector<std::string> texts_of(text::Names names) { return {names.begin(), names.end()}; }

std::vector<std::string_view> at_commas(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t comma = std::min(text.find(',', start), text.size());
    parts.push_back(text.substr(start, comma - start));
    start = comma + 1;
  }
  return parts;
}

bool read(std::string_view text, std::uint64_t& value) { return read_whole(text, kLargestWhole, value); }
bool read(std::string_view text, Index& value) { return read_whole(text, kLargestWhole, value); }
bool read(std::string_view text, int& value) { return read_whole(text, kLargestInt, value); }

bool read(std::string_view text, double& value) {
  const std::optional<double> number = text::parse_double(text);
  if (!number || !std::isfinite(*number)) return false;
  value = *number + 0.0;  // −0 is 0
  return true;
}

bool read(std::string_view text, std::string& value) {
  value = text;
  return true;
}

bool read(std::string_view text, std::vector<std::string>& values) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    std::string& one = all.emplace_back();
    if (!text.substr(i).starts_with('"')) {
      const std::size_t comma = std::min(text.find(',', i), text.size());
      one = text.substr(i, comma - i);
      i = comma;
      continue;
    }
    for (++i; !text.substr(i).starts_with('"') || text.substr(i).starts_with("\"\""); ++i) {
      if (i == text.size()) return false;
      if (text[i] == '"') ++i;
      one += text[i];
    }
    if (++i < text.size() && text[i] != ',') return false;
  }
  values = std::move(all);
  return true;
}

std::string expected(std::string_view /*text*/, std::uint64_t /*value*/) {
  return "a whole number from 1 to 2^63 - 1";
}
std::string expected(std::string_view text, Index /*value*/) { return expected(text, std::uint64_t{}); }
std::string expected(std::string_view /*text*/, int /*value*/) { return "a whole number from 1 on"; }
std::string expected(std::string_view /*text*/, double /*value*/) {
  return "a finite number such as 3 or 2.5, within a double's range";
}
std::string expected(std::string_view /*text*/, const std::string& /*value*/) { return "a text"; }
std::string expected(std::string_view /*text*/, const std::vector<std::string>& /*values*/) {
  return R"(texts separated by commas, in quotes where need be: a,"b,c","say ""hi""")";
}

std::string shown(double value) { return text::shortest(value); }
std::string shown(const std::string& value) { return value; }

}  // namespace mha::options
