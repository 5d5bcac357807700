#pragma once

#include "lessons/09-multi-head-attention/exercises/exercise.h"

namespace mha::lesson09 {

/// Exercise 5: the parameter count when H doubles and d_k stays at 64.
Exercise fixed_head_width();

}  // namespace mha::lesson09
