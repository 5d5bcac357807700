#include "render/xml_writer.h"

#include "render/unicode.h"

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

void XmlWriter::start(std::string_view name, const Attributes& attributes) {
  out_ += '<';
  out_ += name;
  for (const auto& [key, value] : attributes) {
    out_ += ' ';
    out_ += key;
    out_ += "=\"";
    out_ += escaped(showable(value));
    out_ += '"';
  }
}

void XmlWriter::open(std::string_view name, const Attributes& attributes) {
  start(name, attributes);
  out_ += '>';
  open_.emplace_back(name);
}

void XmlWriter::close() {
  out_ += "</" + open_.back() + ">";
  open_.pop_back();
}

void XmlWriter::open_line(std::string_view name, const Attributes& attributes) {
  open(name, attributes);
  out_ += '\n';
}

void XmlWriter::close_line() {
  close();
  out_ += '\n';
}

void XmlWriter::empty_line(std::string_view name, const Attributes& attributes) {
  start(name, attributes);
  out_ += "/>\n";
}

void XmlWriter::text(std::string_view text) {
  for (;;) {
    const std::size_t end = text.find('\n');
    out_ += escaped(showable(text.substr(0, end)));
    if (end == std::string_view::npos) return;
    out_ += '\n';
    text.remove_prefix(end + 1);
  }
}

void XmlWriter::prose(std::string_view sentences) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  std::size_t from = 0;
  for (std::size_t at = sentences.find('_'); at != std::string_view::npos; at = sentences.find('_', at + 1)) {
    const bool alone = at > 0 && is_letter(sentences[at - 1]) && (at == 1 || !is_letter(sentences[at - 2]));
    std::size_t end = at + 1;
    while (end < sentences.size() && is_letter(sentences[end])) ++end;
    if (!alone || end == at + 1) continue;
    text(sentences.substr(from, at - 1 - from));
    element("i", {}, sentences.substr(at - 1, 1));
    element("sub", {}, sentences.substr(at + 1, end - at - 1));
    from = end;
  }
  text(sentences.substr(from));
}

void XmlWriter::element(std::string_view name, const Attributes& attributes, std::string_view text) {
  open(name, attributes);
  this->text(text);
  close();
}

void XmlWriter::element_line(std::string_view name, const Attributes& attributes, std::string_view text) {
  element(name, attributes, text);
  out_ += '\n';
}

}  // namespace mha::render
