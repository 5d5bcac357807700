#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// Labels come from people and files and hold any bytes. Figures show them, whatever they are.
namespace mha::text {

/// The well-formed UTF-8 character that `text` starts with (Unicode 15, table 3-7), or its first byte if
/// there is none.
std::string_view first_character(std::string_view text);

/// The code point of such a character.
char32_t decode(std::string_view character);

/// Appends the character of that code as UTF-8, and U+FFFD for what is none.
void append_utf8(char32_t code, std::string& text);

/// The text as UTF-8 that can be shown and that XML 1.0 allows: control characters (a terminal would
/// obey them), noncharacters and bytes that are not UTF-8 become U+FFFD, one each.
std::string showable(std::string_view text);

/// How many columns of a terminal a showable text takes: 2 for East Asian wide characters and emoji, 0
/// for combining marks.
std::size_t display_columns(std::string_view text);

/// The text if it takes at most `columns`, otherwise its beginning and an ellipsis.
std::string cut(std::string_view text, std::size_t columns);

/// The text in lines of at most `columns`, broken at blanks where there are any.
std::vector<std::string> wrap(std::string_view text, std::size_t columns);

}  // namespace mha::text
