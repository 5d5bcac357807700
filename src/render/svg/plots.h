#pragma once

#include "render/drawing.h"
#include "render/svg/pen.h"

/// Stems and curves: plots of values over positions.
namespace mha::render {

Extents stem_extents(const StemDrawing& stem, double side);
void draw_stem(SvgPen& pen, const StemDrawing& stem, const Box& plot);

Extents curves_extents(const CurvesDrawing& curves, double side);
void draw_curves(SvgPen& pen, const CurvesDrawing& curves, const Box& plot);

}  // namespace mha::render
