#pragma once

#include "attention/matrix.h"

namespace mha::test {

/// softmax(Q Kᵀ / √d_k + M) written out as the equation stands, T × T at once, in long double: slow and
/// obvious, for the kernel to be held against. Q, K: T × d_k.
Matrix reference_weights(const Matrix& Q, const Matrix& K);

}  // namespace mha::test
