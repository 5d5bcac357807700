#pragma once

#include <vector>

#include "attention/layer.h"

/// Multi-head attention as a filter bank. With W_O (H·d_v × d_model) split into row blocks W_O^(h)
/// (d_v × d_model), block multiplication gives
///
///   Concat · W_O = Σ_h A_h X W_V^h W_O^(h):
///
/// each head filters along the tokens (A_h) and maps the channels (W_V^h W_O^(h), rank ≤ d_v).
namespace mha::analysis {

/// Head h's rows of W_O, d_v × d_model; h counts from 0 and every head has the same d_v.
ConstBlock synthesis_block(const Matrix& W_O, Index h, Index d_v);

/// Fills `term` (n × d_model) with the rows first … first + n − 1 of what a head adds to the output:
/// A_h X W_V^h W_O^(h) where X and W_V^h are known, A_h V_h W_O^(h) elsewhere. W_O_h: the head's rows of W_O.
/// A bias of its values adds b_V^h W_O^(h) to every row that sees a key, whose weights sum to 1.
void filter_bank_term(const attention::Layer& layer, const attention::Head& head, const ConstBlock& W_O_h,
                      Index first, Block term);

/// Fills `O` (n × width) with the rows first … first + n − 1 of b_O + Σ_h terms_h. b_O: 1 × width, or empty;
/// added once, not once per head.
void sum_of_terms(const std::vector<RowSource>& terms, const Matrix& b_O, Index first, Block O);

/// max |O − (b_O + Σ_h terms_h)| over T × width entries, each read once, block by block: 0 where both sides'
/// arithmetic is exact, rounding otherwise; NaN where a side overflows.
double largest_deviation(Index T, Index width, const RowSource& O, const std::vector<RowSource>& terms,
                         const Matrix& b_O);

/// max |Q_all(:, 1:d_k) − Q_1| with Q_all = X W_Q + b_Q: one product with the packed W_Q computes every
/// head's queries. For a layer that has W_Q.
double slice_deviation(const attention::Layer& layer);

}  // namespace mha::analysis
