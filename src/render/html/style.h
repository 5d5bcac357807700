#pragma once

#include <string>

namespace mha::render {

/// The page's style sheet: light and dark as the reader has it, paper, and phones. It holds no `<` and no
/// `&`, so that it is the same in HTML and in XML.
std::string style_sheet();

}  // namespace mha::render
