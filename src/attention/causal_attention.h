#pragma once

#include "attention/layer.h"

/// One head of scaled dot-product attention, a block of rows at a time:
///
///   A = softmax(Q Kᵀ / √d_k + M),   O = A V
///
/// with M the mask: 0 where query t may see key i, −∞ elsewhere (Vaswani et al. 2017, "Attention Is All
/// You Need", section 3.2.1); causal unless another one is given (mask.h). What practice adds to it, in this
/// order: a scale instead of 1/√d_k; a softcap C · tanh(s / C) of the scaled scores s (Gemma 2, arXiv
/// 2408.00118); M with numbers of its own, as ALiBi and T5 have them (Press et al. 2022; Raffel et al. 2020);
/// and a sink, one more logit in the sum of the softmax that has no value (gpt-oss; Xiao et al. 2024, arXiv
/// 2309.17453), so that a row of A sums to less than 1. Shapes: Q is T_q × d_k, K is T_k × d_k, V is T_k ×
/// d_v, A is T_q × T_k, O is T_q × d_v; a causal head over T tokens has T_q = T_k = T.
///
/// A caller names the rows that it wants by the first one (0-based) and by the height of the block to
/// fill. Only those rows cost anything, and nothing of size T × T is held, so whoever needs nine rows
/// of 65,536 pays for nine, and the inside can change without a caller noticing. A row's numbers are the
/// same, bit for bit, in whichever block it is asked for and on however many threads (threads.h); a column
/// of O is the same whatever the other columns of V are. Keys that a row may not see are not read for it,
/// whatever they hold; a row that may see none is zero. Processors of different instruction sets may differ
/// by a few units in the last place.
namespace mha::attention {

/// Fills `A` (n × T_k) with the rows first … first + n − 1 of the attention weights. Masked weights are
/// exactly 0, every row that sees a key sums to 1. The scores must be finite: see largest_score_bound.
void attention_weights(const Head& head, Index first, Block A, const Rules& rules = {});
void attention_weights(const Matrix& Q, const Matrix& K, Index first, Block A, const Rules& rules = {});

/// Fills `O` (n × d_v) with the rows first … first + n − 1 of the head's output A V.
void head_output(const Head& head, Index first, Block O, const Rules& rules = {});
void head_output(const Matrix& Q, const Matrix& K, const Matrix& V, Index first, Block O,
                 const Rules& rules = {});

/// Fills `Z_E` (n × 2) with what the rows first … first + n − 1 of A come to without A being formed. With
/// E_i = max s − s_i ≥ 0, how far the score of key i lies below the row's best one (in nats, after 1/√d_k):
///
///   Z = Σ_i e^(−E_i)  (1 ≤ Z ≤ t),   ⟨E⟩ = Σ_i p_i E_i ≥ 0,   p_i = e^(−E_i) / Z.
///
/// Softmax is the Boltzmann distribution of these energies, so that the entropy of the row is
/// ln Z + ⟨E⟩ nats: two terms of one sign, with nothing to cancel. A row that sees no key counts as certain:
/// Z = 1, ⟨E⟩ = 0. A sink is left out: this is the row of the keys alone, which sums to 1.
void row_partition(const Head& head, Index first, Block Z_E, const Rules& rules = {});
void row_partition(const Matrix& Q, const Matrix& K, Index first, Block Z_E, const Rules& rules = {});

/// A bound on |Q Kᵀ|: Σ_c max_t |Q(t, c)| · max_i |K(i, c)|, in O(T d_k). Infinite where a score could
/// overflow a double; such inputs have no attention weights.
double largest_score_bound(const Matrix& Q, const Matrix& K);

}  // namespace mha::attention
