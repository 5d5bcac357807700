#pragma once

#include <string>

#include "analysis/counts.h"

namespace mha::commands {

/// Throws std::invalid_argument, naming both options, if H heads do not divide that width evenly.
void require_even_heads(const std::string& heads_option, analysis::Count H, const std::string& width_option,
                        analysis::Count width);

}  // namespace mha::commands
