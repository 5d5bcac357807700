#pragma once

#include <string>

#include "report/figure.h"

namespace mha::render {

/// The figure as an SVG 1.1 document: valid XML whatever its labels hold, without font, script or
/// reference to anything outside; a title and a description for screen readers, under ids that begin
/// with the figure's name, so that several can stand in one page. Large matrices are pooled so that it
/// stays under a megabyte. The same bytes every time. Throws std::runtime_error for a value that is not
/// finite.
std::string svg(const report::Figure& figure);

}  // namespace mha::render
