#include "lessons/09-multi-head-attention/exercises/compare.h"

#include <fmt/format.h>

#include <cmath>

namespace mha::lesson09 {

Finding compare(const std::string& name, const std::vector<std::string>& places, const Matrix& given,
                const Matrix& right, double tolerance, Tell tell) {
  std::string wrong;
  std::string fine;
  for (Index i = 0; i < right.cols(); ++i) {
    const std::string& place = places[static_cast<std::size_t>(i)];
    const double off = given(0, i) - right(0, i);
    if (std::abs(off) <= tolerance) {
      fine += (fine.empty() ? "" : ", ") + place;
      continue;
    }
    const char* const how = tell == Tell::kPlace ? "not right" : off < 0.0 ? "too low" : "too high";
    wrong += fmt::format("{}{}: {} is {}", wrong.empty() ? "" : ", ", place, given(0, i), how);
  }
  if (wrong.empty()) return {true, fmt::format("{}: all right", name)};
  return {false, fine.empty() ? fmt::format("{}: {}", name, wrong)
                              : fmt::format("{}: {}; right for {}", name, wrong, fine)};
}

}  // namespace mha::lesson09
