#include "analysis/counts.h"

#include <initializer_list>
#include <stdexcept>
#include <string>

namespace mha::analysis {
namespace {

[[noreturn]] void too_large(const char* what) {
  throw std::overflow_error(std::string("the number of ") + what + " exceeds 2^63");
}

Count product(const char* what, std::initializer_list<Count> factors) {
  Count result = 1;
  for (const Count factor : factors) {
    if (__builtin_mul_overflow(result, factor, &result) || result > kLargestCount) too_large(what);
  }
  return result;
}

Count sum(const char* what, std::initializer_list<Count> terms) {
  Count result = 0;
  for (const Count term : terms) {
    if (__builtin_add_overflow(result, term, &result) || result > kLargestCount) too_large(what);
  }
  return result;
}

}  // namespace

ParameterCounts parameter_counts(const BlockSizes& sizes) {
  const Count d_v = sizes.d_v > 0 ? sizes.d_v : sizes.d_k;
  const Count kv_width =
      product("key/value channels", {sizes.kv_heads, sum("key/value channels", {sizes.d_k, d_v})});
  const Count q_width = product("query channels", {sizes.H, sizes.d_k});
  const Count widths = sum("query, key and value channels", {q_width, kv_width});

  ParameterCounts counts{};
  counts.n_qkv = product("parameters of W_Q, W_K, W_V", {sizes.d_model, widths});
  counts.n_wo = product("parameters of W_O", {sizes.H, d_v, sizes.d_model});
  counts.n_bias = sizes.bias ? sum("biases", {widths, sizes.d_model}) : 0;
  counts.n_tot = sum("parameters", {counts.n_qkv, counts.n_wo, counts.n_bias});
  return counts;
}

Count score_flops(Count T, Count d, Count H) { return product("score FLOPs", {H, 2, T, T, d / H}); }

CausalCounts causal_counts(Count T, Count d, Count H) {
  // One of T and T + 1 is even.
  const Count even = T % 2 == 0 ? T : T + 1;
  const Count odd = T % 2 == 0 ? T + 1 : T;
  const Count pairs = product("query-key pairs", {even / 2, odd});
  const Count flops = product("causal FLOPs", {2, pairs, H, d / H});
  return {flops, flops, product("exponentials", {pairs, H})};
}

}  // namespace mha::analysis
