#include "cli/in_quotes.h"

#include <fmt/format.h>

#include <cctype>

#include "render/unicode.h"

namespace mha::cli {

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kLongest = 80;
  std::string result = "'";
  for (std::size_t i = 0; i < text.size();) {
    if (i >= kLongest) return result + "…'";
    const std::size_t length = render::utf8_length(text.substr(i));
    if (length == 0 || (length == 1 && std::iscntrl(static_cast<unsigned char>(text[i])) != 0)) {
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[i]));
      ++i;
    } else {
      result += text.substr(i, length);
      i += length;
    }
  }
  return result + "'";
}

}  // namespace mha::cli
