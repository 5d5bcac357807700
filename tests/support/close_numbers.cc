#include "tests/support/close_numbers.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>
#include <string_view>

namespace mha::test {
namespace {

constexpr double kTolerance = 1e-12;

/// The number that `text` begins with, taken off it; false if it begins with none.
bool take_number(std::string_view& text, double& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || !std::isfinite(number)) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

bool close(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    double x = 0.0;
    double y = 0.0;
    std::string_view after_a = a;
    std::string_view after_b = b;
    if (take_number(after_a, x) && take_number(after_b, y)) {
      const bool same = a.substr(0, a.size() - after_a.size()) == b.substr(0, b.size() - after_b.size());
      if (!same && !(std::abs(x - y) <= kTolerance * std::max({1.0, std::abs(x), std::abs(y)}))) return false;
      a = after_a;
      b = after_b;
    } else {
      if (a.front() != b.front()) return false;
      a.remove_prefix(1);
      b.remove_prefix(1);
    }
  }
  return a.empty() && b.empty();
}

}  // namespace

std::string difference_beyond_last_digits(const std::string& golden, const std::string& actual) {
  std::istringstream a(golden);
  std::istringstream b(actual);
  std::string line_a;
  std::string line_b;
  for (int number = 1;; ++number) {
    const bool more_a = static_cast<bool>(std::getline(a, line_a));
    const bool more_b = static_cast<bool>(std::getline(b, line_b));
    if (!more_a && !more_b) return "";
    if (more_a != more_b || !close(line_a, line_b)) {
      return "line " + std::to_string(number) + "\n-" + (more_a ? line_a : "") + "\n+" +
             (more_b ? line_b : "");
    }
  }
}

}  // namespace mha::test
