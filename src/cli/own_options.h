#pragma once

#include <string>
#include <vector>

#include "cli/options.h"
#include "input/layers/model.h"

namespace mha::cli {

/// Declares --input and what goes with it. Refuses the options of `lesson_only` beside it, and those that
/// only go with it without it. With `packed_heads` --H is among them; `params` has its own.
void own_options(Options& options, input::ModelOptions& own, const std::vector<std::string>& lesson_only,
                 bool packed_heads = true);

}  // namespace mha::cli
