#pragma once

#include <string>

#include "input/layers/read_layer.h"
#include "input/layers/settings.h"

namespace mha::input {

/// The `config.json` of a Hugging Face checkpoint that lies beside the file at `path`, or in it where it is a
/// directory; empty if there is none.
std::string config_beside(const std::string& path);

/// Takes from a config.json what nobody else said: H, rotary base, dimensions and scaling, window, softcap,
/// scale and the epsilon of norms. Throws std::invalid_argument for a model whose attention has something
/// that is not supported, by its name.
void read_config(const std::string& path, LayerOptions& options, Settings& settings);

}  // namespace mha::input
