#pragma once

#include "render/terminal/styled_text.h"

namespace mha::render {

struct ColorBar;

/// A colour bar between the values of its ends, on the same line as its name if both fit.
TextBlock bar_text(const ColorBar& bar, std::size_t columns, Colors colors);

/// How wide a panel's title, note and colour bar may be: a little wider than a narrow panel.
std::size_t caption_columns(const TextBlock& body, std::size_t columns);

}  // namespace mha::render
