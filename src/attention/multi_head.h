#pragma once

#include <vector>

#include "attention/matrix.h"

/// H heads side by side and the projection that mixes them:
///
///   Concat = [O_1, …, O_H]  (T × H·d_v),   O = Concat · W_O  (T × d_model)
///
/// (Vaswani et al. 2017, section 3.2.2). Rows are asked for as in causal_attention.h.
namespace mha::attention {

/// One head's inputs. Q, K: T × d_k; V: T × d_v.
struct Head {
  Matrix Q;
  Matrix K;
  Matrix V;
};

/// Fills `O_concat` (n × H·d_v) with the rows first … first + n − 1 of Concat, head 1's columns first.
void concat(const std::vector<Head>& heads, Index first, Block O_concat);

/// Fills `O` (n × d_model) with the rows first … first + n − 1 of Concat · W_O. W_O: H·d_v × d_model.
void multi_head_output(const std::vector<Head>& heads, const Matrix& W_O, Index first, Block O);

}  // namespace mha::attention
