#pragma once

#include <string>
#include <vector>

#include "lessons/09-multi-head-attention/exercises/exercise.h"

namespace mha::lesson09 {

/// What to tell of an entry that is not right.
enum class Tell {
  kPlace,     ///< which it is; where few values are possible, more would be the answer
  kDirection  ///< and whether it is too low or too high
};

/// Compares a given list with the right one, entry by entry, within `tolerance`; `places` names the
/// entries. Says which are right and which are not, and the values given, never the right ones.
Finding compare(const std::string& name, const std::vector<std::string>& places, const Matrix& given,
                const Matrix& right, double tolerance, Tell tell);

}  // namespace mha::lesson09
