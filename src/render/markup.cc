#include "render/markup.h"

#include <array>

#include "text/unicode.h"

namespace mha::render {

std::string escaped(std::string_view showable_text) {
  constexpr std::string_view kSpecial = "&<>\"";
  constexpr std::array kEntities = {"&amp;", "&lt;", "&gt;", "&quot;"};
  std::string result;
  for (const char c : showable_text) {
    const std::size_t special = kSpecial.find(c);
    if (special == std::string_view::npos) {
      result += c;
    } else {
      result += kEntities[special];
    }
  }
  return result;
}

Markup shown(std::string_view text) {
  Markup result;
  for (;;) {
    const std::size_t end = text.find('\n');
    result.code += escaped(text::showable(text.substr(0, end)));
    if (end == std::string_view::npos) return result;
    result.code += '\n';
    text.remove_prefix(end + 1);
  }
}

Markup prose(std::string_view sentence) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  Markup result;
  std::size_t from = 0;
  for (std::size_t at = sentence.find('_'); at != std::string_view::npos; at = sentence.find('_', at + 1)) {
    const bool alone = at > 0 && is_letter(sentence[at - 1]) && (at == 1 || !is_letter(sentence[at - 2]));
    std::size_t end = at + 1;
    while (end < sentence.size() && is_letter(sentence[end])) ++end;
    if (!alone || end == at + 1) continue;
    result += markup("{}<i>{}</i><sub>{}</sub>", sentence.substr(from, at - 1 - from),
                     sentence.substr(at - 1, 1), sentence.substr(at + 1, end - at - 1));
    from = end;
  }
  result += shown(sentence.substr(from));
  return result;
}

}  // namespace mha::render
