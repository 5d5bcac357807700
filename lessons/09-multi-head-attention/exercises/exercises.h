#pragma once

#include <vector>

#include "lessons/09-multi-head-attention/exercises/exercise.h"
#include "lessons/09-multi-head-attention/pipeline.h"

/// The exercises one by one, and what they compute.
namespace mha::lesson09 {

/// Exercise 1: which output channels depend on more than one head, for each W_O.
Exercise output_channels();

/// 2 × 4: how far channel d_c of the two-head pipeline's O (T = 4, gain 3) moves, at most over the rows,
/// when head h is silenced (V_h = 0). 0 exactly where the channel does not depend on that head.
Matrix moves_when_silenced(Projection projection);

/// 1 × 4: how many heads each output channel depends on.
Matrix heads_heard(Projection projection);

/// Exercise 2: d_k and the parameter count for d_model = 384 and H = 1, 2, 4, 6, 8, 12.
Exercise split_width();

/// Exercise 3: eight heads, of which heads 5 to 8 repeat heads 1 to 4.
Exercise replicated_heads();

/// The outputs O_h = A_h V of the eight heads at T = 6, gain 3. All see the same V = I (6 × 6), so that an
/// output shows the whole of A_h and two patterns cannot look alike by accident of V.
std::vector<Matrix> eight_outputs();

/// max over all entries of |∂L/∂Q_1 − ∂L/∂Q_5| for the loss L = ½ Σ O², O = [O_1, O_5] W_O, where head 5
/// repeats head 1, V is the position code of gain 1, and the blocks of W_O are I and ratio · I. A step of
/// gradient descent moves the two heads' queries apart by this much times its step size.
double gradient_gap(double ratio);

/// Exercise 4: a (Q, K) whose row 4 looks evenly at positions 1 and 3 and hardly at 2 and 4.
Exercise two_positions();

/// Exercise 5: the parameter count when H doubles and d_k stays at 64.
Exercise fixed_head_width();

/// Exercise 6: how the entropy of head 1 falls as its key grows.
Exercise sharper_head();

/// The entropy in bits of head 1's row t ≥ 1 (1-based) at that gain: of e^{gain/√2} against t − 1 ones.
double first_token_bits(Index t, double gain);

/// The smallest gain ≥ 0 at which head 1's row t blends fewer than `limit` > 1 positions, 2^bits < limit:
/// at the gain returned it does, at the double below it does not. 0 when it always does. By bisection; 2^bits
/// falls from t at gain 0 to 1 as the gain grows.
double smallest_gain(Index t, double limit);

}  // namespace mha::lesson09
