#pragma once

#include "text/quote.h"

namespace mha::cli {

using text::in_quotes;
using text::on_one_line;

}  // namespace mha::cli
