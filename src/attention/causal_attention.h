#pragma once

#include "attention/matrix.h"

/// One head of causal scaled dot-product attention, a block of rows at a time:
///
///   A = softmax(Q Kᵀ / √d_k + M),   O = A V
///
/// with M the causal mask: 0 where key i ≤ query t, −∞ above (Vaswani et al. 2017, "Attention Is All
/// You Need", section 3.2.1). Shapes: Q, K are T × d_k, V is T × d_v, A is T × T, O is T × d_v.
///
/// A caller names the rows that it wants by the first one (0-based) and by the height of the block to
/// fill. Only those rows cost anything, and nothing of size T × T is held, so whoever needs nine rows
/// of 65,536 pays for nine, and the inside can change without a caller noticing.
namespace mha::attention {

/// Fills `A` (n × T) with the rows first … first + n − 1 of the attention weights. Masked weights are
/// exactly 0, every row sums to 1. The scores must be finite: see largest_score_bound.
void attention_weights(const Matrix& Q, const Matrix& K, Index first, Block A);

/// Fills `O` (n × d_v) with the rows first … first + n − 1 of the head's output A V.
void head_output(const Matrix& Q, const Matrix& K, const Matrix& V, Index first, Block O);

/// A bound on |Q Kᵀ|: Σ_c max_t |Q(t, c)| · max_i |K(i, c)|, in O(T d_k). Infinite where a score could
/// overflow a double; such inputs have no attention weights.
double largest_score_bound(const Matrix& Q, const Matrix& K);

}  // namespace mha::attention
