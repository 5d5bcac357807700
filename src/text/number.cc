#include "text/number.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <system_error>

namespace mha::text {
namespace {

// libc++ before 14 has neither to_chars nor from_chars of a double: for it, replace these two functions.

/// Writes the shortest decimal that reads back to the same double.
std::string_view to_decimal(double value, std::array<char, 32>& buffer, std::chars_format format) {
  char* const end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format).ptr;
  return {buffer.data(), static_cast<std::size_t>(end - buffer.data())};
}

std::optional<double> from_decimal(std::string_view text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size() || error == std::errc::invalid_argument) return std::nullopt;
  return error == std::errc() ? value : std::numeric_limits<double>::infinity();
}

/// An infinity or a NaN has no digits, and would otherwise come out as a 0 or a word in a column of numbers.
void require_finite(double value) {
  if (!std::isfinite(value)) throw std::runtime_error("a result is not finite, and no decimal stands for it");
}

}  // namespace

std::string shortest(double value) {
  require_finite(value);
  if (value == 0.0) return "0";
  // Scientific first: asked for the fixed form, to_chars prints every digit of a large double's binary
  // value, not the shortest that reads back.
  std::array<char, 32> buffer;  // written before it is read
  const std::string text(to_decimal(value, buffer, std::chars_format::scientific));  // [-]d[.ddd]e±XX
  const std::size_t e = text.find('e');
  const int exponent = std::atoi(text.c_str() + e + 1);
  const std::string sign = text[0] == '-' ? "-" : "";

  std::string digits;
  for (const char c : text.substr(0, e)) {
    if (c >= '0' && c <= '9') digits += c;
  }
  const int count = static_cast<int>(digits.size());
  if (exponent < 0) return sign + "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
  if (exponent >= count - 1)
    return sign + digits + std::string(static_cast<std::size_t>(exponent - count + 1), '0');
  const auto whole = static_cast<std::size_t>(exponent) + 1;
  return sign + digits.substr(0, whole) + "." + digits.substr(whole);
}

std::string fixed(double value, int places) {
  require_finite(value);
  std::string text = fmt::format("{:.{}f}", value, places);
  if (text[0] == '-' && text.find_first_not_of("-0.") == std::string::npos) text.erase(0, 1);
  return text;
}

std::string exact(double value) {
  require_finite(value);
  return fmt::format("{}", value + 0.0);  // −0 + 0 is 0
}

std::string compact(double value) {
  require_finite(value);
  const double magnitude = std::abs(value);
  return magnitude >= 999.5 && magnitude < 1e5 ? fixed(value, 0) : fmt::format("{:.3g}", value + 0.0);
}

void append_as_double(double value, std::string& text) {
  require_finite(value);
  if (value == 0.0) {  // half of a causal matrix
    text += std::signbit(value) ? "-0.0" : "0.0";
    return;
  }
  std::array<char, 32> buffer;  // written before it is read
  const std::string_view decimal = to_decimal(value, buffer, std::chars_format::general);
  text += decimal;
  const auto marks_a_double = [](char c) { return c == '.' || c == 'e'; };
  if (std::none_of(decimal.begin(), decimal.end(), marks_a_double)) text += ".0";
}

std::optional<double> parse_double(std::string_view text) {
  // The library takes `nan`, `inf` and `infinity` for numbers.
  const std::size_t first = text.starts_with('-') ? 1 : 0;
  if (first == text.size() || std::string_view(".0123456789").find(text[first]) == std::string_view::npos)
    return std::nullopt;
  return from_decimal(text);
}

std::optional<std::uint64_t> parse_whole(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace mha::text
