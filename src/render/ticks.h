#pragma once

#include <cstddef>
#include <vector>

#include "attention/matrix.h"

/// Where an axis carries numbers or labels, in whichever unit a medium measures.
namespace mha::render {

/// Round numbers (1, 2 or 5 times a power of ten apart) from `low` to `high`, at most `most` ≥ 2 of them.
/// One number where low = high.
std::vector<double> round_ticks(double low, double high, std::size_t most);

/// Every how many positions a label goes, 1, 2, 5, 10, 20, …, so that labels of that extent do not touch.
Index label_step(double position_extent, double label_extent);

}  // namespace mha::render
