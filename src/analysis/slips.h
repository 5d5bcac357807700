#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "attention/layer.h"
#include "text/choice.h"

/// What implementations of attention commonly get wrong, each computed as such an implementation would, so
/// that a result that is off can be told what it is off by.
namespace mha::analysis {

enum class Slip {
  kMaskMissing,         ///< the causal mask, the padding, a window or an array that is a mask
  kMaskAdded,           ///< a causal mask where there is none
  kOtherAlignment,      ///< the mask at the other corner, where T_q ≠ T_k
  kScaleMissing,        ///< scores not scaled at all
  kScaleByModel,        ///< by 1/√d_model
  kScaleTwice,          ///< by the square of the scale
  kSoftmaxOverQueries,  ///< along the columns of the scores
  kRotaryPairs,         ///< the other pairs of numbers turned
  kValueHeadsTiled,     ///< K/V head h mod kv_heads for query head h
  kBiasMissing,         ///< of Q, K and V, of the output, or all of them
  kBiasPerHead,         ///< b_O added once for each head
  kOutputTransposed,    ///< W_Oᵀ
  kHeadsInterleaved,    ///< Concat from [T, d_v, H]
  kHeadsNotTransposed,  ///< Concat as a view of [H, T, d_v]
  kHeadsReordered,
};
inline constexpr std::array kSlipNames = {
    "mask-missing",  "mask-added",      "other-alignment",   "scale-missing",        "scale-d-model",
    "scale-twice",   "softmax-queries", "rotary-pairs",      "kv-heads-tiled",       "bias-missing",
    "bias-per-head", "w_o-transposed",  "heads-interleaved", "heads-not-transposed", "heads-reordered"};
constexpr text::Names names_of(Slip) { return kSlipNames; }

/// What the slip is, in a few words: `the mask is missing`.
const char* description_of(Slip slip);

/// The results of a layer as an implementation computes them.
struct Implementation {
  attention::Layer layer;
  std::vector<Index> order =
      {};  ///< head of the layer that stands as head 1, 2, …; empty for their own order
  enum class Concat { kRight, kInterleaved, kNotTransposed } merge = Concat::kRight;
  Index output_biases = 1;  ///< how often b_O is added

  /// Rows of head h's weights (n × T_k).
  void weights(std::size_t h, Index first, Block A) const;
  /// Rows of Concat (n × H·d_v).
  void concat(Index first, Block O_concat) const;
  /// Rows of O (n × d_model), where W_O is known.
  void output(Index first, Block O) const;
};

/// The layer as the slip makes it; none where the slip would change nothing, several where it can be made in
/// several ways. None for heads in another order: see try_orders.
std::vector<Implementation> with_slip(const attention::Layer& layer, Slip slip);

/// Calls `tried` with orders of H heads, other than their own: all of them for up to six heads, otherwise two
/// heads exchanged, the reverse and rotations; until `tried` returns true.
void try_orders(Index H, const std::function<bool(const std::vector<Index>& order)>& tried);

}  // namespace mha::analysis
