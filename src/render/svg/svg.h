#pragma once

#include <string>

#include "report/figure.h"

namespace mha::render {

/// The figure as an SVG 1.1 document: valid XML whatever its labels hold, without fonts, scripts or
/// references; a title and a description for screen readers, with ids that begin
/// with the figure's name. Large matrices are pooled to keep it under a megabyte. The same bytes every time.
/// Throws std::runtime_error for a value that is not finite.
std::string svg(const report::Figure& figure);

/// The same drawing as an element of a page: its ids begin with `id`, its background is transparent, and the
/// page's element `described_by` describes it.
std::string svg_in_page(const report::Figure& figure, const std::string& id, const std::string& described_by);

}  // namespace mha::render
