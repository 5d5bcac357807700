#include "lessons/09-multi-head-attention/exercises/compare_lists.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

namespace mha::lesson09 {

void compare_lists(const std::string& name, const std::vector<std::string>& places, const Matrix& given,
                   const Matrix& right, double tolerance, Tell tell, Slip slip, Judgement& judgement) {
  std::vector<Finding> findings;
  std::vector<std::string> fine;
  for (Index i = 0; i < right.cols(); ++i) {
    const std::string& place = places[static_cast<std::size_t>(i)];
    const double off = given(0, i) - right(0, i);
    if (std::abs(off) <= tolerance) {
      fine.push_back(place);
      continue;
    }
    const char* const how = tell == Tell::kPlace ? "not right" : off < 0.0 ? "too low" : "too high";
    findings.push_back({false, fmt::format("{}, {}: {} is {}{}", name, place, given(0, i), how,
                                           slip != nullptr ? slip(given(0, i), right(0, i)) : "")});
  }
  if (fine.size() == places.size()) {
    findings.push_back({true, name + ": all right"});
  } else if (!fine.empty()) {
    findings.insert(findings.begin(), {true, fmt::format("{}: right for {}", name, fmt::join(fine, ", "))});
  }
  judgement.findings.insert(judgement.findings.end(), findings.begin(), findings.end());
}

}  // namespace mha::lesson09
