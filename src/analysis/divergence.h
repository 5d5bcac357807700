#pragma once

#include <span>

namespace mha::analysis {

/// The Jensen–Shannon divergence of two distributions over the same positions, in bits:
///
///   JS(p, q) = H((p + q)/2) − (H(p) + H(q))/2,
///
/// 0 where they are the same, 1 where they share no position (Lin 1991, "Divergence measures based on the
/// Shannon entropy"). `bits_p` and `bits_q` are their entropy_sum_bits, which a caller with many pairs has at
/// hand: as they come, so that what rows whose sums are a little off 1 have too much cancels.
double jensen_shannon_bits(std::span<const double> p, double bits_p, std::span<const double> q,
                           double bits_q);

}  // namespace mha::analysis
