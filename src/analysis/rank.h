#pragma once

#include <optional>
#include <vector>

#include "attention/matrix.h"
#include "attention/precision.h"

namespace mha::analysis {

struct NumericalRank {
  Index rank;                           ///< singular values above the tolerance
  std::vector<double> singular_values;  ///< largest first, as many as the factors allow
  double tolerance;                     ///< below which one counts as 0
};

/// The numerical rank of the product L Rᵀ (L: m × d, R: n × d; the product is m × n) and its singular
/// values, from the factors: with L = U B and R = W C by QR, L Rᵀ = U (B Cᵀ) Wᵀ has the singular values
/// of the small B Cᵀ. Costs O((m + n) d² + d³), and the rank cannot exceed d by rounding, as it can on
/// the m × n product itself. Values and tolerance are infinite or 0 where the product's are beyond a
/// double; the rank is found before that happens, and does not depend on the factors' scale. Squaring (the
/// Gram matrix) would lose all values below √ε · s_max.
///
/// The tolerance is max(m, n) · s_max · ε, as NumPy and Octave have it, with the ε of the precision that the
/// factors were rounded to; of the half precisions s_max · ε, since max(m, n) · ε would soon be 1. One that
/// is given (≥ 0) replaces it.
NumericalRank rank_of_product(const Matrix& L, const Matrix& R,
                              attention::Precision precision = attention::Precision::kFloat64,
                              std::optional<double> tolerance = {});

}  // namespace mha::analysis
