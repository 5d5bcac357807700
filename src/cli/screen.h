#pragma once

#include <string>

#include "render/terminal/terminal.h"

namespace mha::cli {

/// What standard output can show. `color` is auto, always or never; auto gives colours to a terminal,
/// unless NO_COLOR is set to something (no-color.org) or TERM says that it has none. COLORTERM says
/// whether it knows 24-bit colours. The width is the terminal's, otherwise 80.
render::Screen screen(const std::string& color);

}  // namespace mha::cli
