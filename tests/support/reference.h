#pragma once

#include "attention/matrix.h"

/// Attention written out as the equations stand, T × T at once, in long double: slow and obvious, for the
/// kernel to be held against. Q, K: T × d_k; V: T × d_v.
namespace mha::test {

/// A = softmax(Q Kᵀ / √d_k + M).
Matrix reference_weights(const Matrix& Q, const Matrix& K);

/// O = A V, the weights not rounded in between.
Matrix reference_output(const Matrix& Q, const Matrix& K, const Matrix& V);

/// −Σ p log₂ p of each row of A, T × 1.
Matrix reference_entropies(const Matrix& Q, const Matrix& K);

}  // namespace mha::test
