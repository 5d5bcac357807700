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

/// Draws the figure with text: panels side by side as far as the screen is wide enough, stacked where it
/// is not, no line wider than the screen (if that has 20 columns). Values stand in the cells where they
/// fit. Colours come with their ink, and all else has the terminal's own colour, so that it can be read
/// on dark and on light. Throws std::runtime_error for a value that is not finite.
void terminal(const report::Figure& figure, const Screen& screen, std::ostream& out);

}  // namespace mha::render
