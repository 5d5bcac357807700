#pragma once

#include "lessons/09-multi-head-attention/exercises/exercise.h"

namespace mha::lesson09 {

/// Exercise 2: d_k and the parameter count for d_model = 384 and H = 1, 2, 4, 6, 8, 12.
Exercise split_width();

}  // namespace mha::lesson09
