#pragma once

#include <cstdint>

namespace mha {

/// Sizes and positions. 64 bits wide everywhere: T · T must not wrap at T = 46341.
using Index = std::int64_t;

}  // namespace mha
