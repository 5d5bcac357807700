#pragma once

#include <string>
#include <string_view>

#include "attention/matrix.h"

namespace mha::commands {

/// Of H blocks side by side, `letter` before the number of each: `[O_1]`, `[O_1, O_2]`, `[O_1, ..., O_12]`.
std::string side_by_side(std::string_view letter, Index H);

}  // namespace mha::commands
