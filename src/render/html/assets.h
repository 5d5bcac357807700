#pragma once

#include <string>
#include <string_view>

/// The parts that are the same on every page. They hold no `<` and no `&`, so that HTML and XML read them
/// alike.
namespace mha::render {

/// The style sheet: light and dark, print, and phones.
std::string style_sheet();

/// The script: buttons that copy a command. The page works without it.
std::string_view page_script();

/// The script's SHA-256 in base 64, for the page's content security policy, which allows no other script.
std::string_view page_script_hash();

}  // namespace mha::render
