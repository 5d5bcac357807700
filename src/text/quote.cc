#include "text/quote.h"

#include <fmt/format.h>

#include <algorithm>

#include "text/unicode.h"

namespace mha::text {
namespace {

/// Moves the character at the front of `text`, or a byte that is none, to the end of `to`; what a terminal
/// would obey, or turn the direction of what follows by, as its bytes.
void move_shown(std::string_view& text, std::string& to) {
  const std::size_t length = std::max<std::size_t>(1, utf8_length(text));
  const std::string_view character = text.substr(0, length);
  if (showable(character) == character) {
    to += character;
  } else {
    for (const char byte : character) to += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
  }
  text.remove_prefix(length);
}

std::string between(char quote, std::string_view text, std::size_t longest) {
  const std::size_t whole = text.size();
  std::string result(1, quote);
  while (!text.empty() && whole - text.size() < longest) move_shown(text, result);
  return result + (text.empty() ? "" : "…") + quote;
}

}  // namespace

std::string in_quotes(std::string_view text) { return between('\'', text, 80); }

std::string quoted_key(std::string_view key) { return between('"', key, 40); }

std::string on_one_line(std::string_view text) {
  std::string result;
  while (!text.empty()) move_shown(text, result);
  return result;
}

}  // namespace mha::text
