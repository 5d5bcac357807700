#pragma once

#include <string_view>

namespace mha::render {

/// The page's script: buttons that copy a command. Without it nothing is missed. It holds no `<` and no `&`,
/// so that it is the same in HTML and in XML.
std::string_view page_script();

/// The script's SHA-256 in base 64, by which the page lets it run, and no other.
std::string_view page_script_hash();

}  // namespace mha::render
