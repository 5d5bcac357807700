#pragma once

#include "lessons/09-multi-head-attention/exercises/exercise.h"

namespace mha::lesson09 {

/// Exercise 6: how the entropy of head 1 falls as its key grows.
Exercise sharper_head();

/// The entropy in bits of head 1's row t ≥ 1 (1-based) at that gain: of e^{gain/√2} against t − 1 ones.
double first_token_bits(Index t, double gain);

/// The smallest gain ≥ 0 at which head 1's row t blends fewer than `limit` > 1 positions, 2^bits < limit:
/// at the gain returned it does, at the double below it does not. 0 when it always does. By bisection; 2^bits
/// falls from t at gain 0 to 1 as the gain grows.
double smallest_gain(Index t, double limit);

}  // namespace mha::lesson09
