#include "text/quote.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "text/unicode.h"

namespace mha::text {
namespace {

/// Moves the character at the front of `text`, or a byte that is none, to the end of `to`; what a terminal
/// would obey, or turn the direction of what follows by, as its bytes.
void move_shown(std::string_view& text, std::string& to) {
  const std::string_view character = first_character(text);
  if (showable(character) == character) {
    to += character;
  } else {
    for (const char byte : character) to += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
  }
  text.remove_prefix(character.size());
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

std::string single_quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + "'";
}

std::string shell_word(std::string_view text) {
  const bool plain = !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("-_./,:+@%=").find(static_cast<char>(c)) != std::string_view::npos;
  });
  return plain ? std::string(text) : single_quoted(text);
}

}  // namespace mha::text
