#pragma once

#include <string>
#include <vector>

#include "analysis/filter_bank.h"
#include "attention/matrix.h"
#include "lessons/09-multi-head-attention/heads.h"

namespace mha::lesson09 {

inline constexpr Index kPipelineTokens = 4;  ///< T
inline constexpr Index kModelWidth = 4;      ///< d_model
inline constexpr Index kPipelineHeads = 2;   ///< H, each with d_k = d_v = d_model/H = 2

/// The names of the output projections, the lesson's own first.
inline const std::vector<std::string> kOutputProjections = {"mixing", "identity", "swap"};

/// W_O, 4 × 4; rows read the columns h1.1, h1.2, h2.1, h2.2 of Concat, columns write d1 … d4.
///   mixing    d1 = h1.1 + h2.1 and d3 = −h2.1, so that one channel hears both heads;
///   identity  O is Concat;
///   swap      the two heads change places.
Matrix output_projection(const std::string& name);

/// The two-head pipeline over T ≥ 1 tokens. Head 1 is the self head on X's features 3 and 4, head 2 the
/// uniform head on features 1 and 2; X is T × 4 with ones on its diagonal.
struct Pipeline {
  Matrix X;
  std::vector<analysis::BankHead> heads;  ///< Q_h, K_h, W_V^h
};

Pipeline two_head_pipeline(Index T, double gain);

/// [W_Q^1, W_Q^2], 4 × 4: at T = 4 the tokens are one-hot (X = I), so that W_Q^h = X W_Q^h = Q_h.
Matrix packed_W_Q(const Pipeline& pipeline);

/// max |Q_all(:, 1:2) − Q_1| with Q_all = X · W_Q packed: one product computes every head's queries.
double slice_deviation(const Pipeline& pipeline);

}  // namespace mha::lesson09
