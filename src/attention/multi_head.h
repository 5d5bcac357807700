#pragma once

#include <span>
#include <vector>

#include "attention/mask.h"
#include "attention/matrix.h"

/// H heads side by side and the projection that mixes them:
///
///   Concat = [O_1, …, O_H]  (T_q × H·d_v),   O = Concat · W_O  (T_q × d_model)
///
/// (Vaswani et al. 2017, section 3.2.2). Rows are asked for as in causal_attention.h.
namespace mha::attention {

/// One head's inputs. Q: T_q × d_k; K: T_k × d_k; V: T_k × d_v.
struct Head {
  Matrix Q;
  Matrix K;
  Matrix V;
};

/// The same where somebody else holds them.
struct HeadInputs {
  const Matrix* Q;
  const Matrix* K;
  const Matrix* V;
};

/// Fills `O_concat` (n × H·d_v) with the rows first … first + n − 1 of Concat, head 1's columns first. The
/// heads have one T_q and one T_k.
void concat(std::span<const HeadInputs> heads, Index first, Block O_concat, Mask mask = {});
void concat(const std::vector<Head>& heads, Index first, Block O_concat, Mask mask = {});

/// Fills `Y` (n × width) with X · W, a row's numbers being the same whatever the other rows are: Concat ·
/// W_O, or Q, K and V of X. X: n × depth, W: depth × width.
void project(const Matrix& X, const Matrix& W, Block Y);

}  // namespace mha::attention
