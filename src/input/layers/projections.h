#pragma once

#include "input/layers/arrays.h"
#include "input/layers/read_layer.h"

namespace mha::input {

/// Reads X and the projections of `options.layout` (layouts.h) into `layer`: its heads, X, W_Q, b_Q, W_O,
/// b_O. Keys and values come from X_K and X_V where the file has them, as in cross-attention. Throws
/// std::invalid_argument for arrays that are missing or do not fit, with the layouts that the file's names
/// fit.
void read_projections(const Arrays& arrays, const LayerOptions& options, attention::Layer& layer);

}  // namespace mha::input
