#pragma once

#include "render/drawing.h"
#include "render/terminal/styled_text.h"

/// Stems and curves as lines of at most `columns`.
namespace mha::render {

TextBlock stem_text(const StemDrawing& stem, std::size_t columns);
TextBlock curves_text(const CurvesDrawing& curves, std::size_t columns);

}  // namespace mha::render
