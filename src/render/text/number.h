#pragma once

#include "text/number.h"

namespace mha::render {

using text::compact;
using text::exact;
using text::fixed;
using text::shortest;

}  // namespace mha::render
