#pragma once

#include <string>
#include <vector>

namespace mha::lesson09 {

/// One of the numbers that the lesson promises, beside what is computed.
struct Check {
  std::string what;
  std::vector<double> expected;
  int places;  ///< decimals to which the lesson states it
  std::vector<double> computed;
  bool ok;
};

/// The lesson's table of expected numbers, each computed anew. A computed number is right when it agrees
/// within half a unit of the last decimal that the lesson states; one stated as a whole number (a count,
/// a sum, a deviation of 0) must agree within 1e-12.
std::vector<Check> expected_numbers();

}  // namespace mha::lesson09
