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

  /// Whether the computed numbers are as many as the expected ones and agree with them: within half a unit
  /// of the last decimal that the lesson states, or within 1e-12 if it states whole numbers (a count, a
  /// sum, a deviation of 0).
  [[nodiscard]] bool ok() const;
};

/// The lesson's table of expected numbers, each computed anew.
std::vector<Check> expected_numbers();

}  // namespace mha::lesson09
