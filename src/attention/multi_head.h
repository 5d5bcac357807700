#pragma once

#include <span>

#include "attention/layer.h"

/// H heads side by side and the projection that mixes them:
///
///   Concat = [O_1, …, O_H]  (T_q × H·d_v),   O = Concat · W_O  (T_q × d_model)
///
/// (Vaswani et al. 2017, section 3.2.2). Rows are asked for as in causal_attention.h.
namespace mha::attention {

/// Fills `O_concat` (n × H·d_v) with the rows first … first + n − 1 of Concat, head 1's columns first. The
/// heads have Q, K and V, and one T_q and one T_k.
void concat(std::span<const Head> heads, Index first, Block O_concat, const Rules& rules = {});

/// Fills `Y` (n × width) with X · W, a row's numbers being the same whatever the other rows are: Concat ·
/// W_O, or Q, K and V of X. X: n × depth, W: depth × width.
void project(const Matrix& X, const Matrix& W, Block Y);

}  // namespace mha::attention
