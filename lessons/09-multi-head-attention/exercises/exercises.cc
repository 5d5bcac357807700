#include "lessons/09-multi-head-attention/exercises/exercises.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

namespace mha::lesson09 {

const std::vector<Exercise>& exercises() {
  static const std::vector<Exercise> all = {output_channels(), split_width(),      replicated_heads(),
                                            two_positions(),   fixed_head_width(), sharper_head()};
  return all;
}

Matrix number(double value) { return Matrix::Constant(1, 1, value); }

Matrix list(const std::vector<double>& values) {
  return Eigen::Map<const Matrix>(values.data(), 1, static_cast<Index>(values.size()));
}

std::string direction(double given, double right) { return given < right ? "too low" : "too high"; }

void compare_lists(const std::string& name, const std::vector<std::string>& places, const Matrix& given,
                   const Matrix& right, double tolerance, Judgement& judgement,
                   std::string (*describe)(double given, double right)) {
  std::vector<Finding> off;
  std::vector<std::string> fine;
  for (Index i = 0; i < right.cols(); ++i) {
    const std::string& place = places[static_cast<std::size_t>(i)];
    const double entry = given(0, i);
    if (std::abs(entry - right(0, i)) <= tolerance) {
      fine.push_back(place);
    } else {
      off.push_back(
          {false, fmt::format("{}, {}: {} is {}", name, place, entry, describe(entry, right(0, i)))});
    }
  }
  std::vector<Finding>& findings = judgement.findings;
  if (off.empty()) {
    findings.push_back({true, name + ": all right"});
  } else if (!fine.empty()) {
    findings.push_back({true, fmt::format("{}: right for {}", name, fmt::join(fine, ", "))});
  }
  findings.insert(findings.end(), off.begin(), off.end());
}

}  // namespace mha::lesson09
