#pragma once

#include "text/unicode.h"

namespace mha::render {

using text::cut;
using text::display_columns;
using text::showable;
using text::utf8_length;
using text::wrap;

}  // namespace mha::render
