#pragma once

#include "attention/layer.h"
#include "input/layers/arrays.h"
#include "input/layers/read_layer.h"
#include "input/layers/settings.h"

namespace mha::input {

/// The mask of the layer, from `options`, the settings and the arrays `mask`, `key_mask`; the scale, the
/// softcap and the sinks. Refuses two of them that say the same, and shapes that do not fit.
void choose_rules(const Arrays& arrays, const LayerOptions& options, const Settings& settings,
                  attention::Layer& layer);

/// Refuses what needs to know where the queries stand among the keys, by its name, if nobody said so.
void require_place(const attention::Layer& layer, const char* name);

}  // namespace mha::input
