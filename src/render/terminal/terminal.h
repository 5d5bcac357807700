#pragma once

#include <cstddef>
#include <iosfwd>

#include "report/figure.h"

namespace mha::render {

enum class Colors {
  kNone,  ///< shades of block characters instead
  k256,
  k24Bit,
};

struct Screen {
  std::size_t columns = 80;
  Colors colors = Colors::kNone;
};

/// Draws the figure as text: panels side by side where the screen is wide enough, otherwise stacked; no line
/// wider than the screen (of at least 20 columns); values in the cells if they fit. Coloured cells set the
/// text colour too, and everything else keeps the terminal's own, so that it is readable on dark and on
/// light. Throws std::runtime_error for a value that is not finite.
void terminal(const report::Figure& figure, const Screen& screen, std::ostream& out);

}  // namespace mha::render
