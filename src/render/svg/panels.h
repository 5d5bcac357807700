#pragma once

#include "render/drawing.h"
#include "render/svg/pen.h"

/// The panels of an SVG figure: each says how much room it needs, and draws itself where it is put.
namespace mha::render {

/// The room that a panel needs when its plot should be about `side` pixels wide and high; `bar` if a
/// colour bar of its own goes beside it.
Extents extents(const PanelDrawing& panel, double side, bool bar);

/// Draws the panel with its plot in `plot`: as wide as asked for, as high or, for stems and curves, higher.
void draw(SvgPen& pen, const PanelDrawing& panel, const Box& plot, bool bar);

/// Draws a colour bar with the values of its ends and its middle to the right.
void draw_bar(SvgPen& pen, const ColorScale& scale, const std::string& value_name, const Box& bar);

/// How wide a colour bar is with what is written beside it.
double bar_extent(const ColorScale& scale);

inline constexpr double kBarWidth = 14.0;

}  // namespace mha::render
