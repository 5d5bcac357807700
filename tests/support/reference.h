#pragma once

#include <optional>

#include "attention/mask.h"
#include "attention/matrix.h"

/// Attention written out as the equations stand, T × T at once, in long double: slow and obvious, for the
/// kernel to be held against. Q: T_q × d_k; K: T_k × d_k; V: T_k × d_v. A row that sees no key is zero.
namespace mha::test {

/// What a layer may have beside a mask.
struct Extras {
  std::optional<double> scale = {};    ///< instead of 1/√d_k
  std::optional<double> softcap = {};  ///< C: C tanh(s/C)
  const Matrix* M = nullptr;           ///< T_q × T_k (or one column less, for an extra key), added then
  std::optional<double> sink = {};     ///< one logit more in the sum
};

/// A = softmax(Q Kᵀ / √d_k + M).
Matrix reference_weights(const Matrix& Q, const Matrix& K, const attention::Mask& mask = {},
                         const Extras& extras = {});

/// O = A V, the weights not rounded in between.
Matrix reference_output(const Matrix& Q, const Matrix& K, const Matrix& V, const attention::Mask& mask = {},
                        const Extras& extras = {});

/// −Σ p log₂ p of each row of A, T_q × 1, without a sink.
Matrix reference_entropies(const Matrix& Q, const Matrix& K, const attention::Mask& mask = {},
                           const Extras& extras = {});

}  // namespace mha::test
