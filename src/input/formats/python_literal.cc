#include "input/formats/python_literal.h"

#include <fmt/format.h>

#include <charconv>
#include <set>
#include <stdexcept>
#include <system_error>

#include "input/formats/place.h"

namespace mha::input {
namespace {

constexpr int kDeepest = 16;

class Parser {
 public:
  Parser(std::string_view text, const std::string& place) : text_(text), place_(place) {}

  PythonHeader header() {
    PythonHeader header;
    std::set<std::string> seen;
    expect('{');
    while (!accept('}')) {
      const std::string key = string();
      if (!seen.insert(key).second) refuse(fmt::format("{} is given twice", quoted_key(key)));
      expect(':');
      if (key == "descr") {
        header.descr_is_text = peek() == '\'' || peek() == '"';
        header.descr = header.descr_is_text ? string() : skipped();
      } else if (key == "fortran_order") {
        header.fortran_order = boolean();
      } else if (key == "shape") {
        header.shape = shape();
      } else {
        refuse(fmt::format("{} is no key of a .npy header", quoted_key(key)));
      }
      if (peek() != '}') expect(',');
    }
    if (!at_end()) refuse("text after the dictionary");
    for (const char* const key : {"descr", "fortran_order", "shape"}) {
      if (!seen.contains(key)) refuse(fmt::format("\"{}\" is missing", key));
    }
    return header;
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw std::invalid_argument(fmt::format("{}: in the header, character {}: {}", place_, at_ + 1, why));
  }

  void skip_space() {
    while (at_ < text_.size() && std::string_view(" \t\r\n\f").find(text_[at_]) != std::string_view::npos)
      ++at_;
  }

  bool at_end() {
    skip_space();
    return at_ == text_.size();
  }

  /// The next character that is no space; NUL at the end.
  char peek() {
    skip_space();
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  bool accept(char c) {
    if (peek() != c || at_ == text_.size()) return false;
    ++at_;
    return true;
  }

  void expect(char c) {
    if (!accept(c)) refuse(fmt::format("'{}' is missing", c));
  }

  bool accept_word(std::string_view word) {
    skip_space();
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  /// No dtype and no key needs an escape, so none is read.
  std::string string() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') refuse("a string is missing");
    const std::size_t end = text_.find_first_of(std::string{quote, '\\', '\n'}, at_ + 1);
    if (end == std::string_view::npos || text_[end] != quote)
      refuse("a string without an end, or with an escape");
    const std::string_view content = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return std::string(content);
  }

  bool boolean() {
    if (accept_word("True")) return true;
    if (accept_word("False")) return false;
    refuse("neither True nor False");
  }

  /// Python 2 wrote `3L` for a long 3.
  Index size() {
    skip_space();
    Index value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error == std::errc::result_out_of_range) refuse("a size beyond 2^63 − 1");
    if (error != std::errc()) refuse("a size is missing");
    at_ = static_cast<std::size_t>(end - text_.data());
    static_cast<void>(accept('L'));
    return value;
  }

  std::vector<Index> shape() {
    std::vector<Index> sizes;
    bool comma = true;
    expect('(');
    while (!accept(')')) {
      if (!comma) refuse("',' is missing");
      sizes.push_back(size());
      comma = accept(',');
    }
    // In Python (3) is the number 3.
    if (sizes.size() == 1 && !comma) refuse("the shape is no tuple");
    return sizes;
  }

  /// A list or a tuple of such, of strings and numbers, as it stands.
  std::string skipped() {
    const std::size_t start = at_;
    skip(0);
    return std::string(text_.substr(start, at_ - start));
  }

  void skip(int depth) {
    if (depth == kDeepest) refuse(fmt::format("more than {} levels of brackets", kDeepest));
    const char open = peek();
    if (open == '\'' || open == '"') {
      static_cast<void>(string());
    } else if (open == '(' || open == '[') {
      ++at_;
      const char close = open == '(' ? ')' : ']';
      while (!accept(close)) {
        skip(depth + 1);
        if (peek() != close) expect(',');
      }
    } else {
      static_cast<void>(size());
    }
  }

  std::string_view text_;
  const std::string& place_;
  std::size_t at_ = 0;
};

}  // namespace

PythonHeader parse_python_header(std::string_view text, const std::string& place) {
  return Parser(text, place).header();
}

}  // namespace mha::input
