#pragma once

#include "input/layers/arrays.h"
#include "input/layers/read_layer.h"

namespace mha::input {

/// Reads the heads of the layer, in whichever form the file has them: A, or Q and K, or a list of heads with
/// one or the other, or, by `options.layout`, X and packed projections; and V where it is. Fills in T_q, T_k
/// and kv_heads too. Throws std::invalid_argument for none of these forms, for two, and for shapes that do
/// not fit each other.
void read_heads(const Arrays& arrays, const LayerOptions& options, attention::Layer& layer);

}  // namespace mha::input
