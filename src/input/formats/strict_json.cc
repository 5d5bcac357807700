#include "input/formats/strict_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <vector>

#include "input/formats/place.h"

namespace mha::input {
namespace {

using nlohmann::json;

constexpr std::size_t kDeepest = 16;

/// A place in a text that moves forward only: however many places are asked for, the text is read once.
/// Columns count characters.
class Cursor {
 public:
  /// `line 2, column 7` of the byte at `offset`, which does not lie before the last one.
  std::string move_to(std::string_view text, std::size_t offset) {
    for (; at_ < std::min(offset, text.size()); ++at_) {
      if (text[at_] == '\n') {
        ++line_;
        column_ = 1;
      } else if ((static_cast<unsigned char>(text[at_]) & 0xC0) != 0x80) {
        ++column_;
      }
    }
    return fmt::format("line {}, column {}", line_, column_);
  }

 private:
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::size_t column_ = 1;
};

/// Goes through a text and tells how far it has come: the library reports a place for a syntax error only.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, std::size_t* consumed) : at_(at), consumed_(consumed) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    ++at_;
    ++*consumed_;
    return *this;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }

 private:
  const char* at_;
  std::size_t* consumed_;
};

/// What the library says went wrong, without its own place and without what it read last, which may be
/// anything.
std::string reason(const std::string& what) {
  const std::size_t start = what.find(" - ");
  if (start == std::string::npos) return "not JSON";
  return what.substr(start + 3, what.find("; last read") - start - 3);
}

/// Whether the byte at `offset` is in a word that other languages write for a number that JSON does not have.
bool names_no_number(std::string_view text, std::size_t offset) {
  constexpr std::string_view kBetween = " \t\r\n,:[]{}\"";
  constexpr std::array<std::string_view, 5> kWords = {"NaN", "nan", "Infinity", "Inf", "inf"};
  if (offset >= text.size() || kBetween.find(text[offset]) != std::string_view::npos) return false;
  const std::size_t before = text.find_last_of(kBetween, offset);
  std::string_view word = text.substr(before == std::string_view::npos ? 0 : before + 1);
  word = word.substr(0, word.find_first_of(kBetween));
  if (word.starts_with('-')) word.remove_prefix(1);
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

std::string cut(const std::string& number) {
  constexpr std::size_t kLongest = 40;
  return number.size() > kLongest ? number.substr(0, kLongest) + "…" : number;
}

/// Passes on what the library reads, and refuses what the library lets pass.
class StrictReader : public json::json_sax_t {
 public:
  StrictReader(std::string_view text, const std::string& name, JsonListener& listener)
      : text_(text), name_(name), listener_(listener) {}

  void read() {
    if (text_.starts_with("\xEF\xBB\xBF")) refuse(0, "a byte order mark; JSON is UTF-8 without one");
    // The library would take it for the end of the text, and whatever comes after for nothing.
    if (const std::size_t nul = text_.find('\0'); nul != std::string_view::npos) refuse(nul, "a NUL byte");
    json::sax_parse(CountingIterator(text_.data(), &consumed_),
                    CountingIterator(text_.data() + text_.size(), &consumed_), this);
  }

  bool null() override {
    return pass_on([&] { listener_.null(); });
  }
  bool boolean(bool value) override {
    return pass_on([&] { listener_.boolean(value); });
  }
  bool number_integer(std::int64_t value) override { return pass_on_number(value); }
  bool number_unsigned(std::uint64_t value) override { return pass_on_number(value); }
  bool number_float(double value, const std::string& /*written*/) override { return pass_on_number(value); }
  bool string(std::string& value) override {
    return pass_on([&] { listener_.text(value); });
  }
  bool binary(json::binary_t& /*value*/) override { return false; }  // JSON has none

  bool start_object(std::size_t /*elements*/) override {
    deeper();
    keys_.emplace_back();
    return pass_on([&] { listener_.begin_object(); });
  }
  bool key(std::string& key) override {
    if (!keys_.back().insert(key).second) {
      const std::string why = quoted_key(key) + " is given twice";
      refuse(text_.rfind('"', consumed_ - 2), keys_.size() == 1 ? why : with_place(why));
    }
    return pass_on([&] { listener_.key(key); });
  }
  bool end_object() override {
    keys_.pop_back();
    --depth_;
    return pass_on([&] { listener_.end_object(); });
  }
  bool start_array(std::size_t /*elements*/) override {
    deeper();
    return pass_on([&] { listener_.begin_list(); });
  }
  bool end_array() override {
    --depth_;
    return pass_on([&] { listener_.end_list(); });
  }

  bool parse_error(std::size_t position, const std::string& token, const json::exception& error) override {
    if (dynamic_cast<const json::out_of_range*>(&error) != nullptr)
      refuse(last_digit(), with_place(cut(token) + " is beyond the range of a double"));
    // The library counts the byte that it choked on as read.
    const std::size_t offset = position > 0 ? position - 1 : 0;
    if (names_no_number(text_, offset))
      refuse(offset, with_place(reason(error.what()) + "; a number has to be finite"));
    refuse(offset, reason(error.what()));
  }

 private:
  [[nodiscard]] std::string message(std::size_t offset, const std::string& why) {
    return fmt::format("{}: {}: {}", name_, cursor_.move_to(text_, offset), why);
  }

  [[noreturn]] void refuse(std::size_t offset, const std::string& why) {
    throw std::invalid_argument(message(offset, why));
  }

  [[nodiscard]] std::string with_place(const std::string& why) const {
    const std::string place = listener_.place();
    return place.empty() ? why : fmt::format("{}: {}", place, why);
  }

  /// The end of a number is noticed one byte after it.
  [[nodiscard]] std::size_t last_digit() const { return text_.find_last_of("0123456789", consumed_ - 1); }

  /// What the listener finds wrong is refused, unless it keeps that for later.
  template <typename Take>
  bool pass_on(const Take& take, bool number = false) {
    try {
      take();
    } catch (const JsonError& error) {
      const std::size_t offset = number ? last_digit() : consumed_ - 1;
      const std::string whole = message(offset, with_place(error.what()));
      if (!listener_.postpone(whole)) throw std::invalid_argument(whole);
    }
    return true;
  }

  bool pass_on_number(JsonNumber number) {
    return pass_on([&] { listener_.number(number); }, true);
  }

  void deeper() {
    if (depth_ == kDeepest) refuse(consumed_ - 1, fmt::format("more than {} levels of brackets", kDeepest));
    ++depth_;
  }

  std::string_view text_;
  const std::string& name_;
  JsonListener& listener_;
  Cursor cursor_;
  std::size_t consumed_ = 0;
  std::size_t depth_ = 0;
  std::vector<std::set<std::string>> keys_;  ///< of the objects that are open
};

}  // namespace

JsonListener::~JsonListener() = default;

void read_strict_json(std::string_view text, const std::string& name, JsonListener& listener) {
  StrictReader(text, name, listener).read();
}

}  // namespace mha::input
