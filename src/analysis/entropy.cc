#include "analysis/entropy.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "attention/causal_attention.h"

namespace mha::analysis {

double entropy_sum_bits(std::span<const double> p) {
  double bits = 0.0;
  for (const double x : p) {
    if (x > 0.0) bits -= x * std::log2(x);
  }
  return bits;
}

double entropy_bits(std::span<const double> p) { return entropy_bits(p, entropy_sum_bits(p)); }

double entropy_bits(std::span<const double> p, double sum_bits) {
  const auto positive = std::count_if(p.begin(), p.end(), [](double x) { return x > 0.0; });
  const double ceiling = positive > 0 ? std::log2(static_cast<double>(positive)) : 0.0;
  // + 0.0 turns the −0 of a certain row into 0.
  return std::clamp(sum_bits, 0.0, ceiling) + 0.0;
}

void row_entropies_bits(const Matrix& Q, const Matrix& K, Index first, Block bits, attention::Mask mask) {
  Matrix Z_E(bits.rows(), 2);
  attention::row_partition(Q, K, first, Z_E, mask);
  for (Index r = 0; r < bits.rows(); ++r) {
    const auto seen = static_cast<double>(std::max<Index>(1, mask.seen(first + r, K.rows())));
    const double ceiling = std::log2(seen);
    const double H = std::log2(Z_E(r, 0)) + Z_E(r, 1) * std::numbers::log2e;
    bits(r, 0) = std::clamp(H, 0.0, ceiling) + 0.0;
  }
}

}  // namespace mha::analysis
