#pragma once

#include <vector>

#include "lessons/09-multi-head-attention/exercises/exercise.h"

namespace mha::lesson09 {

/// Exercise 3: eight heads, of which heads 5 to 8 repeat heads 1 to 4.
Exercise replicated_heads();

/// The outputs O_h = A_h V of the eight heads at T = 6, gain 3. All see the same V = I (6 × 6), so that an
/// output shows the whole of A_h and two patterns cannot look alike by accident of V.
std::vector<Matrix> eight_outputs();

/// max over all entries of |∂L/∂Q_1 − ∂L/∂Q_5| for the loss L = ½ Σ O², O = [O_1, O_5] W_O, where head 5
/// repeats head 1, V is the position code of gain 1, and the blocks of W_O are I and ratio · I. A step of
/// gradient descent moves the two heads' queries apart by this much times its step size.
double gradient_gap(double ratio);

}  // namespace mha::lesson09
