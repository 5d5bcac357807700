#pragma once

#include <cstddef>
#include <vector>

#include "attention/matrix.h"

/// Where an axis has numbers or labels, in pixels or columns.
namespace mha::render {

/// Round numbers (1, 2 or 5 times a power of ten apart) from `low` to `high`, at most `most` ≥ 2 of them.
/// One number where low = high.
std::vector<double> round_ticks(double low, double high, std::size_t most);

/// How many columns the widest of these numbers takes, as text::compact writes it.
std::size_t widest_number(const std::vector<double>& numbers);

/// The step from label to label, 1, 2, 5, 10, 20, … positions, at which labels of that extent do not touch.
Index label_step(double position_extent, double label_extent);

}  // namespace mha::render
