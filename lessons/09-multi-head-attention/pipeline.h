#pragma once

#include <array>

#include "attention/layer.h"
#include "lessons/09-multi-head-attention/heads.h"
#include "text/choice.h"

namespace mha::lesson09 {

inline constexpr Index kPipelineTokens = 4;  ///< T
inline constexpr Index kModelWidth = 4;      ///< d_model
inline constexpr int kPipelineHeads = 2;     ///< H, each with d_k = d_v = d_model/H = 2

/// The output projections, the lesson's own first. W_O is 4 × 4; rows read the columns h1.1, h1.2, h2.1, h2.2
/// of Concat, columns write d1 … d4.
enum class Projection {
  kMixing,    ///< d1 = h1.1 + h2.1 and d3 = −h2.1, so that one channel hears both heads
  kIdentity,  ///< O is Concat
  kSwap,      ///< the two heads change places
};
inline constexpr std::array kProjections = {Projection::kMixing, Projection::kIdentity, Projection::kSwap};
inline constexpr std::array kProjectionNames = {"mixing", "identity", "swap"};
constexpr text::Names names_of(Projection) { return kProjectionNames; }

Matrix output_projection(Projection projection);

/// The two-head pipeline over T ≥ 1 tokens, with its packed W_Q and the W_O chosen. Head 1 is the self head
/// on X's features 3 and 4, head 2 the uniform head on features 1 and 2; X is T × 4 with ones on its
/// diagonal. W_Q = [W_Q^1, W_Q^2] is 4 × 4 at T = 4, where the tokens are one-hot (X = I) and W_Q^h = X W_Q^h
/// = Q_h; at other T it is left empty. Throws std::invalid_argument, naming the gain, when a score would
/// overflow.
attention::Layer two_head_pipeline(Index T, double gain, Projection projection = Projection::kMixing);

}  // namespace mha::lesson09
