#pragma once

#include "lessons/09-multi-head-attention/exercises/exercise.h"

namespace mha::lesson09 {

/// Exercise 4: a (Q, K) whose row 4 looks evenly at positions 1 and 3 and hardly at 2 and 4.
Exercise two_positions();

}  // namespace mha::lesson09
