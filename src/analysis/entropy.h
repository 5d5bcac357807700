#pragma once

#include <span>

#include "attention/layer.h"

namespace mha::analysis {

/// Shannon entropy −Σ p log₂ p in bits of one distribution. A term with p = 0 counts 0, its limit. The
/// result lies in [0, log₂ n], n the number of entries above 0: rounding never takes it outside, and a
/// certain row gives 0, not −0.
double entropy_bits(std::span<const double> p);

/// The same sum as rounding leaves it, and what entropy_bits makes of that sum.
double entropy_sum_bits(std::span<const double> p);
double entropy_bits(std::span<const double> p, double sum_bits);

/// The Jensen–Shannon divergence of two distributions over the same positions, in bits:
///
///   JS(p, q) = H((p + q)/2) − (H(p) + H(q))/2,
///
/// 0 where they are the same, 1 where they share no position (Lin 1991, "Divergence measures based on the
/// Shannon entropy"). `bits_p` and `bits_q` are their entropy_sum_bits, which a caller with many pairs has at
/// hand: as they come, so that what rows whose sums are a little off 1 have too much cancels.
double jensen_shannon_bits(std::span<const double> p, double bits_p, std::span<const double> q,
                           double bits_q);

/// Fills `bits` (n × 1) with the entropies of the rows first … first + n − 1 of a head's attention
/// weights: how many positions each query blends, as bits. The ceiling of a row that sees n keys is log₂ n:
/// of row t (1-based) of a causal head log₂ t. No row of weights is formed: H = log₂ Z + ⟨E⟩ log₂ e, see
/// attention::row_partition. Exactly log₂ n for n equal scores, and more exact than −Σ p log₂ p for a row
/// that is nearly certain.
void row_entropies_bits(const attention::Head& head, Index first, Block bits,
                        const attention::Rules& rules = {});

/// The same of a layer's head, from its scores or from its weights where those are given.
void row_entropies_bits(const attention::Layer& layer, const attention::Head& head, Index first, Block bits);

}  // namespace mha::analysis
