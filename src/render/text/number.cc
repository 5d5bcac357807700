#include "render/text/number.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <stdexcept>

namespace mha::render {
namespace {

/// An infinity or a NaN has no digits, and would otherwise be printed as 0 or as a word among numbers.
void require_finite(double value) {
  if (!std::isfinite(value)) throw std::runtime_error("a result is not finite and has no decimal");
}

}  // namespace

std::string shortest(double value) {
  require_finite(value);
  if (value == 0.0) return "0";
  // Scientific first: asked for the fixed form, to_chars prints every digit of a large double's binary
  // value, not the shortest that reads back.
  std::array<char, 32> buffer{};
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific).ptr;
  const std::string text(buffer.data(), end);  // [-]d[.ddd]e±XX
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

}  // namespace mha::render
