#pragma once

#include "render/drawing.h"
#include "render/terminal/styled_text.h"

namespace mha::render {

/// A heatmap as lines of at most `columns`: cells wide enough for their values where all fit, of two
/// columns otherwise.
TextBlock heatmap_text(const HeatmapDrawing& heatmap, std::size_t columns, Colors colors, bool alone);

/// A cell of that many columns: coloured, or without colours shaded by how far from 0 its value is, a
/// minus before a negative one. `value` stands in its middle, or nothing.
TextLine cell_text(const ColorScale& scale, double number, const std::string& value, std::size_t columns,
                   Colors colors);

}  // namespace mha::render
