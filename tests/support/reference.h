#pragma once

#include "attention/mask.h"
#include "attention/matrix.h"

/// Attention written out as the equations stand, T × T at once, in long double: slow and obvious, for the
/// kernel to be held against. Q: T_q × d_k; K: T_k × d_k; V: T_k × d_v. A row that sees no key is zero.
namespace mha::test {

/// A = softmax(Q Kᵀ / √d_k + M).
Matrix reference_weights(const Matrix& Q, const Matrix& K, attention::Mask mask = {});

/// O = A V, the weights not rounded in between.
Matrix reference_output(const Matrix& Q, const Matrix& K, const Matrix& V, attention::Mask mask = {});

/// −Σ p log₂ p of each row of A, T_q × 1.
Matrix reference_entropies(const Matrix& Q, const Matrix& K, attention::Mask mask = {});

}  // namespace mha::test
