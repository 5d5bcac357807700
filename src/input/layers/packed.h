#pragma once

#include "input/layers/arrays.h"
#include "input/layers/read_layer.h"

namespace mha::input {

/// Reads X and the packed projections of `options.layout` into `model`: its heads, X, W_Q, b_Q, W_O, b_O.
/// With y = x · W (`lesson`, `gpt2`) or y = x · Wᵀ (`torch`):
///
///   lesson  W_Q [d_model, H·d_k], W_K, W_V, W_O, and if they are there b_Q, b_K, b_V, b_O
///   torch   in_proj_weight [3·d, d], out_proj.weight [d, d], in_proj_bias, out_proj.bias
///   gpt2    c_attn.weight [d, 3·d], c_proj.weight [d, d], c_attn.bias, c_proj.bias
void read_packed(const Arrays& arrays, const LayerOptions& options, attention::Layer& layer);

}  // namespace mha::input
