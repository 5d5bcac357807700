#include "render/xml_text.h"

namespace mha::render {

std::string escaped(std::string_view showable_text) {
  std::string result;
  for (const char c : showable_text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

}  // namespace mha::render
