#pragma once

#include "lessons/09-multi-head-attention/exercises/exercise.h"
#include "lessons/09-multi-head-attention/pipeline.h"

namespace mha::lesson09 {

/// Exercise 1: which output channels depend on more than one head, for each W_O.
Exercise output_channels();

/// 2 × 4: how far channel d_c of the two-head pipeline's O (T = 4, gain 3) moves, at most over the rows,
/// when head h is silenced (V_h = 0). 0 exactly where the channel does not depend on that head.
Matrix moves_when_silenced(Projection projection);

/// 1 × 4: how many heads each output channel depends on.
Matrix heads_heard(Projection projection);

}  // namespace mha::lesson09
