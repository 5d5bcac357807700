#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mha::render {

/// Showable text with XML's special characters as entities.
std::string escaped(std::string_view showable_text);

/// A name and a value, which may hold anything.
using Attributes = std::vector<std::pair<std::string_view, std::string>>;

/// Writes the elements of a page, which is HTML and XML at once. Text from people and files goes through here
/// and nowhere else, so that none of it can be taken for markup.
class XmlWriter {
 public:
  /// `<name …>`; close() writes the end tag of the element opened last.
  void open(std::string_view name, const Attributes& attributes = {});
  void close();
  /// The same with a line end after the tag.
  void open_line(std::string_view name, const Attributes& attributes = {});
  void close_line();
  /// An element without an end tag, such as <meta/>, on a line.
  void empty_line(std::string_view name, const Attributes& attributes);

  /// Text that may hold anything: control characters and marks that turn the direction of what follows show
  /// as U+FFFD, line ends stay.
  void text(std::string_view text);
  /// A sentence of ours, in which a letter with a subscript, such as d_k or W_O, is set as one.
  void prose(std::string_view sentences);
  /// A whole element with that text in it.
  void element(std::string_view name, const Attributes& attributes, std::string_view text);
  void element_line(std::string_view name, const Attributes& attributes, std::string_view text);
  /// A label from a person, whose direction of writing is its own matter.
  void label(std::string_view text) { element("bdi", {}, text); }
  /// Markup of ours, taken as it is.
  void markup(std::string_view markup) { out_ += markup; }

  [[nodiscard]] const std::string& written() const { return out_; }

 private:
  void start(std::string_view name, const Attributes& attributes);

  std::string out_;
  std::vector<std::string> open_;
};

}  // namespace mha::render
