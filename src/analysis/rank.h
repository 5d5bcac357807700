#pragma once

#include <vector>

#include "attention/matrix.h"

namespace mha::analysis {

struct NumericalRank {
  Index rank;                           ///< singular values above the tolerance
  std::vector<double> singular_values;  ///< largest first, as many as the factors allow
  double tolerance;                     ///< max(rows, cols) · s_max · ε, as NumPy and Octave count
};

/// The numerical rank of the product L Rᵀ (L: m × d, R: n × d; the product is m × n) and its singular
/// values, from the factors: with L = U B and R = W C by QR, L Rᵀ = U (B Cᵀ) Wᵀ has the singular values
/// of the small B Cᵀ. Costs O((m + n) d² + d³), and the rank cannot exceed d by rounding, as it can on
/// the m × n product itself. Values and tolerance are infinite or 0 where the product's are beyond a
/// double; the rank is found before that happens, and does not depend on the factors' scale. Squaring (the
/// Gram matrix) would lose all values below √ε · s_max.
NumericalRank rank_of_product(const Matrix& L, const Matrix& R);

}  // namespace mha::analysis
