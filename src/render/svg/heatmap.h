#pragma once

#include "render/svg/svg_writer.h"

namespace mha::render {

struct ColorBar;

inline constexpr double kBarWidth = 14.0;

/// Draws a colour bar with the values of its ends and its middle to the right.
void draw_bar(SvgWriter& svg, const ColorBar& bar, const Box& box);

/// The width of a colour bar with its numbers and its name.
double bar_extent(const ColorBar& bar);

}  // namespace mha::render
