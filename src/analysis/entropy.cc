#include "analysis/entropy.h"

#include <algorithm>
#include <cmath>
#include <limits>
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

double jensen_shannon_bits(std::span<const double> p, double bits_p, std::span<const double> q,
                           double bits_q) {
  double mixed = 0.0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double m = 0.5 * (p[i] + q[i]);
    if (m > 0.0) mixed -= m * std::log2(m);
  }
  return std::clamp(mixed - 0.5 * (bits_p + bits_q), 0.0, 1.0) + 0.0;
}

void row_entropies_bits(const attention::Head& head, Index first, Block bits, const attention::Rules& rules) {
  Matrix Z_E(bits.rows(), 2);
  attention::row_partition(head, first, Z_E, rules);
  for (Index r = 0; r < bits.rows(); ++r) {
    const Index visible =
        rules.mask.visible(first + r, head.K->rows());  // M may hide more: that ceiling is lower
    const double ceiling = std::log2(static_cast<double>(std::max<Index>(1, visible)));
    const double H = std::log2(Z_E(r, 0)) + Z_E(r, 1) * std::numbers::log2e;
    bits(r, 0) = std::clamp(H, 0.0, ceiling) + 0.0;
  }
}

void row_entropies_bits(const attention::Layer& layer, const attention::Head& head, Index first, Block bits) {
  if (!head.A) return row_entropies_bits(head, first, bits, layer.rules);
  constexpr Index kHeld = Index{1} << 17;  // doubles of weights read at a time
  const Index height = std::clamp<Index>(kHeld / layer.T_k, 1, bits.rows());
  for (Index r = 0; r < bits.rows(); r += height) {
    Matrix A(std::min(height, bits.rows() - r), layer.T_k);
    head.A(first + r, A);
    for (Index i = 0; i < A.rows(); ++i) {
      if (head.sink) A.row(i) /= std::max(A.row(i).sum(), std::numeric_limits<double>::min());
      bits(r + i, 0) = entropy_bits({A.row(i).data(), static_cast<std::size_t>(A.cols())});
    }
  }
}

}  // namespace mha::analysis
