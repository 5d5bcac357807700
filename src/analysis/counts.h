#pragma once

#include <cstdint>

/// How many parameters and floating-point operations an attention block takes: exact integers, or
/// std::overflow_error naming the count that exceeds 2^63.
namespace mha::analysis {

using Count = std::uint64_t;

inline constexpr Count kLargestCount = Count{1} << 63;

/// The sizes of a multi-head attention block. H query heads share kv_heads key/value heads
/// (grouped-query attention, Ainslie et al. 2023; kv_heads = H is plain multi-head attention).
struct BlockSizes {
  Count d_model;
  Count H;
  Count d_k;
  Count kv_heads;
  bool bias;
  Count d_v = 0;  ///< 0 for d_k, as it mostly is
};

struct ParameterCounts {
  Count
      n_qkv;  ///< W_Q, W_K, W_V: d_model · (H · d_k + kv_heads · (d_k + d_v)); 3 d_model² if H d_k = d_model
  Count n_wo;    ///< W_O: H · d_v · d_model
  Count n_bias;  ///< one per output of each projection: H · d_k + kv_heads · (d_k + d_v) + d_model, or 0
  Count n_tot;   ///< the sum; 4 d_model² without biases when H d_k = d_model
};

ParameterCounts parameter_counts(const BlockSizes& sizes);

/// FLOPs of the scores Q Kᵀ of H heads of width d/H over T tokens, every pair counted and a
/// multiply–add as two: H · 2 · T² · (d / H). H must divide d. The same for every H.
Count score_flops(Count T, Count d, Count H);

/// What causal attention of H heads over T tokens computes, d_k = d_v = d / H: only the T(T+1)/2 pairs of a
/// query and a key that it may see, a multiply-add counting two.
struct CausalCounts {
  Count score_flops;   ///< Q K': 2 d_k for each pair and head
  Count value_flops;   ///< A V: 2 d_v for each pair and head
  Count exponentials;  ///< one for each pair and head
};
CausalCounts causal_counts(Count T, Count d, Count H);

}  // namespace mha::analysis
