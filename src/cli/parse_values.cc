#include "cli/parse_values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "cli/did_you_mean.h"
#include "cli/in_quotes.h"
#include "text/number.h"

namespace mha::cli {
namespace {

[[noreturn]] void refuse(std::string_view option, std::string_view text, const std::string& allowed) {
  throw std::invalid_argument(fmt::format("{}: {} is not {}", option, in_quotes(text), allowed));
}

std::string range(std::uint64_t least, std::uint64_t most) {
  return most == kLargestWhole ? fmt::format("a whole number from {} to 2^63 - 1", least)
                               : fmt::format("a whole number from {} to {}", least, most);
}

std::optional<std::uint64_t> within(std::string_view text, std::uint64_t least, std::uint64_t most) {
  const std::optional<std::uint64_t> value = text::parse_whole(text);
  return value && *value >= least && *value <= most ? value : std::nullopt;
}

}  // namespace

std::vector<std::string_view> at_commas(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t comma = std::min(text.find(',', start), text.size());
    parts.push_back(text.substr(start, comma - start));
    start = comma + 1;
  }
  return parts;
}

std::uint64_t parse_count(std::string_view option, std::string_view text, std::uint64_t least,
                          std::uint64_t most) {
  const std::optional<std::uint64_t> value = within(text, least, most);
  if (!value) refuse(option, text, range(least, most));
  return *value;
}

std::vector<std::uint64_t> parse_counts(std::string_view option, std::string_view text, std::uint64_t least,
                                        std::uint64_t most) {
  std::vector<std::uint64_t> values;
  for (const std::string_view part : at_commas(text)) {
    const std::optional<std::uint64_t> value = within(part, least, most);
    if (!value) refuse(option, text, fmt::format("{}, or several separated by commas", range(least, most)));
    values.push_back(*value);
  }
  return values;
}

double parse_number(std::string_view option, std::string_view text) {
  const std::optional<double> value = text::parse_double(text);
  if (!value) refuse(option, text, "a finite number such as 3 or 2.5");
  if (!std::isfinite(*value)) refuse(option, text, "a finite number that a double can hold");
  return *value + 0.0;  // −0 is 0
}

std::string parse_choice(std::string_view option, std::string_view text,
                         const std::vector<std::string>& choices) {
  if (std::find(choices.begin(), choices.end(), text) == choices.end()) {
    throw std::invalid_argument(fmt::format("{}: {} is not one of {}{}", option, in_quotes(text),
                                            fmt::join(choices, ", "), did_you_mean(text, choices)));
  }
  return std::string(text);
}

}  // namespace mha::cli
