#include "analysis/entropy.h"

#include <algorithm>
#include <cmath>

#include "attention/causal_attention.h"

namespace mha::analysis {

double entropy_bits(std::span<const double> p) {
  double bits = 0.0;
  std::size_t positive = 0;
  for (const double x : p) {
    if (x <= 0.0) continue;
    bits -= x * std::log2(x);
    ++positive;
  }
  const double ceiling = positive > 0 ? std::log2(static_cast<double>(positive)) : 0.0;
  // + 0.0 turns the −0 of a certain row into 0.
  return std::clamp(bits, 0.0, ceiling) + 0.0;
}

void row_entropies_bits(const Matrix& Q, const Matrix& K, Index first, Block bits) {
  // One row of A at a time: it is used once and is the largest thing here.
  Matrix a(1, first + bits.rows());
  for (Index r = 0; r < bits.rows(); ++r) {
    const Index visible = first + r + 1;
    attention::attention_weights(Q, K, first + r, a.leftCols(visible));
    bits(r, 0) = entropy_bits({a.data(), static_cast<std::size_t>(visible)});
  }
}

}  // namespace mha::analysis
