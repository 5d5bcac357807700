#include "analysis/divergence.h"

#include <algorithm>
#include <cmath>

namespace mha::analysis {

double jensen_shannon_bits(std::span<const double> p, double bits_p, std::span<const double> q,
                           double bits_q) {
  double mixed = 0.0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double m = 0.5 * (p[i] + q[i]);
    if (m > 0.0) mixed -= m * std::log2(m);
  }
  return std::clamp(mixed - 0.5 * (bits_p + bits_q), 0.0, 1.0) + 0.0;
}

}  // namespace mha::analysis
