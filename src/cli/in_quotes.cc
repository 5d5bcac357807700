#include "cli/in_quotes.h"

#include <fmt/format.h>

#include <cctype>

#include "render/unicode.h"

namespace mha::cli {
namespace {

/// Moves the character at the front of `text`, or a byte that is none, to the end of `to`.
void move_shown(std::string_view& text, std::string& to) {
  const std::size_t length = render::utf8_length(text);
  if (length == 0 || (length == 1 && std::iscntrl(static_cast<unsigned char>(text.front())) != 0)) {
    to += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
    text.remove_prefix(1);
  } else {
    to += text.substr(0, length);
    text.remove_prefix(length);
  }
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
