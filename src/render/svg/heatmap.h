#pragma once

#include "render/drawing.h"
#include "render/svg/pen.h"

namespace mha::render {

/// The room for a heatmap whose plot should be about `side` pixels wide and high.
Extents heatmap_extents(const HeatmapDrawing& heatmap, double side);

/// Cells, values where they fit, labels at the centres of cells, the names of both axes.
void draw_heatmap(SvgPen& pen, const HeatmapDrawing& heatmap, const Box& plot);

}  // namespace mha::render
