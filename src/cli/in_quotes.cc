#include "cli/in_quotes.h"

#include <fmt/format.h>

#include <algorithm>

#include "render/unicode.h"

namespace mha::cli {
namespace {

/// Moves the character at the front of `text`, or a byte that is none, to the end of `to`; what a terminal
/// would obey, or turn the direction of what follows by, as its bytes.
void move_shown(std::string_view& text, std::string& to) {
  const std::size_t length = std::max<std::size_t>(1, render::utf8_length(text));
  const std::string_view character = text.substr(0, length);
  if (render::showable(character) == character) {
    to += character;
  } else {
    for (const char byte : character) to += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
  }
  text.remove_prefix(length);
}

}  // namespace

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kLongest = 80;
  const std::size_t whole = text.size();
  std::string result = "'";
  while (!text.empty()) {
    if (whole - text.size() >= kLongest) return result + "…'";
    move_shown(text, result);
  }
  return result + "'";
}

std::string on_one_line(std::string_view text) {
  std::string result;
  while (!text.empty()) move_shown(text, result);
  return result;
}

}  // namespace mha::cli
