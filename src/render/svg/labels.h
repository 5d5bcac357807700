#pragma once

#include <string>

#include "render/drawing.h"
#include "render/svg/pen.h"

namespace mha::render {

/// How wide the widest label of a side is at most likely to be.
inline double label_width(const Side& side) {
  return text_width(std::string(side.widest_label(), 'n'), kLabelSize);
}

}  // namespace mha::render
