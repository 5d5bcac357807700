#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// HTML's elements, as text. What comes from people and files goes through here and nowhere else, so that
/// nothing of it can be taken for markup.
namespace mha::render {

/// A name and a value, which may hold anything.
using Attributes = std::vector<std::pair<std::string_view, std::string>>;

class HtmlPen {
 public:
  /// `<name …>`; close() writes the end of the element opened last.
  void open(std::string_view name, const Attributes& attributes = {});
  void close();
  /// An element that has no end, such as <meta/>.
  void empty(std::string_view name, const Attributes& attributes);

  /// Text that may hold anything: control characters and marks that turn the direction of what follows show
  /// as U+FFFD, line ends stay.
  void text(std::string_view text);
  /// The same of our own sentences, a letter with something below it, such as d_k or W_O, set as one.
  void prose(std::string_view text);
  /// A whole element with that text in it.
  void element(std::string_view name, const Attributes& attributes, std::string_view text);
  /// A label from a person, whose direction of writing is its own matter.
  void label(std::string_view text);

  /// Markup of ours, or made by another pen.
  void markup(std::string_view markup) { out_ += markup; }
  void line() { out_ += '\n'; }

  [[nodiscard]] const std::string& written() const { return out_; }

 private:
  void start(std::string_view name, const Attributes& attributes);

  std::string out_;
  std::vector<std::string> open_;
};

}  // namespace mha::render
