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

/// The same drawing as an element of a page that describes it: its ids begin with `id`, its background is
/// the page's, and the element `described_by` there says what is to be seen.
std::string svg_in_page(const report::Figure& figure, const std::string& id, const std::string& described_by);

}  // namespace mha::render
