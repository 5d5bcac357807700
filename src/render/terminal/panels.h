#pragma once

#include "render/drawing.h"
#include "render/terminal/styled_text.h"

/// The panels of a figure in the terminal.
namespace mha::render {

/// A panel: its titles, and what is below them. Panels side by side begin on the same line below.
struct PanelText {
  TextBlock head;
  TextBlock body;

  [[nodiscard]] std::size_t columns() const;
};

/// The panel as lines of at most `columns`; `bar` if a colour bar of its own goes below it, `alone` if no
/// other panel may stand beside it.
PanelText panel_text(const PanelDrawing& panel, std::size_t columns, Colors colors, bool bar, bool alone);

/// A colour bar between the values of its ends, below or beside what it measures.
TextBlock bar_text(const ColorScale& scale, const std::string& value_name, std::size_t columns,
                   Colors colors);

}  // namespace mha::render
