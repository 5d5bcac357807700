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

/// What a known slip would have made of `right`, said in parentheses after a blank, if `given` is that.
using Slip = std::string (*)(double given, double right);

/// Compares a given list with the right one, entry by entry, within `tolerance`; `places` names the
/// entries. Adds to `judgement` a finding for those that are right and one for each that is not, with the
/// value given and never the right one. `slip` may be null.
void compare_lists(const std::string& name, const std::vector<std::string>& places, const Matrix& given,
                   const Matrix& right, double tolerance, Tell tell, Slip slip, Judgement& judgement);

}  // namespace mha::lesson09
