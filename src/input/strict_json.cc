#include "input/strict_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <vector>

#include "input/quoted_key.h"

namespace mha::input {
namespace {

using nlohmann::json;

constexpr int kDeepest = 16;

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw std::invalid_argument(fmt::format("{}: {}", name, why));
}

/// `line 2, column 7` of the byte at `offset`. Columns count characters.
std::string place(const std::string& text, std::size_t offset) {
  std::size_t line = 1;
  std::size_t column = 1;
  for (std::size_t i = 0; i < std::min(offset, text.size()); ++i) {
    if (text[i] == '\n') {
      ++line;
      column = 1;
    } else if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) {
      ++column;
    }
  }
  return fmt::format("line {}, column {}", line, column);
}

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

/// A word that other languages write for a number, at or just before the byte at `offset`.
bool names_no_number(const std::string& text, std::size_t offset) {
  const std::size_t start = offset - std::min<std::size_t>(offset, 9);
  const std::string near = text.substr(start, offset - start + 9);
  return near.find("NaN") != std::string::npos || near.find("nan") != std::string::npos ||
         near.find("Inf") != std::string::npos;
}

/// The library says of such a number only how it is written: `… number overflow parsing '1e999'`.
std::string overflowing_number(const std::string& what) {
  constexpr std::size_t kLongest = 40;
  const std::size_t start = what.find('\'');
  if (start == std::string::npos) return "a number";
  const std::string number = what.substr(start + 1, what.rfind('\'') - start - 1);
  return number.size() > kLongest ? number.substr(0, kLongest) + "…" : number;
}

std::string place_by_key(const std::string& key) {
  return key.empty() ? "" : fmt::format("{}: ", quoted_key(key));
}

}  // namespace

json strict_json(const std::string& text, const std::string& name) {
  if (text.starts_with("\xEF\xBB\xBF"))
    refuse(name, "line 1, column 1: a byte order mark; JSON is UTF-8 without one");
  // The library would take it for the end of the text, and whatever comes after for nothing.
  if (const std::size_t nul = text.find('\0'); nul != std::string::npos)
    refuse(name, fmt::format("{}: a NUL byte", place(text, nul)));
  std::size_t consumed = 0;
  std::vector<std::set<std::string>> keys;  // of the objects that are open
  std::string last_key;
  const auto watch = [&](int depth, json::parse_event_t event, json& value) {
    if (depth >= kDeepest &&
        (event == json::parse_event_t::object_start || event == json::parse_event_t::array_start))
      refuse(name, fmt::format("{}: more than {} levels of brackets", place(text, consumed - 1), kDeepest));
    if (event == json::parse_event_t::object_start) keys.emplace_back();
    if (event == json::parse_event_t::object_end) keys.pop_back();
    if (event == json::parse_event_t::key) {
      last_key = value.get<std::string>();
      if (!keys.back().insert(last_key).second)
        refuse(name, fmt::format("{}: {} is given twice", place(text, text.rfind('"', consumed - 2)),
                                 quoted_key(last_key)));
    }
    return true;
  };
  try {
    const char* const begin = text.data();
    return json::parse(CountingIterator(begin, &consumed), CountingIterator(begin + text.size(), &consumed),
                       watch);
  } catch (const json::parse_error& e) {
    // The library counts the byte that it choked on as read.
    const std::size_t offset = e.byte > 0 ? e.byte - 1 : 0;
    refuse(name, fmt::format("{}: {}{}", place(text, offset), reason(e.what()),
                             names_no_number(text, offset) ? "; a number has to be finite" : ""));
  } catch (const json::out_of_range& e) {
    refuse(name, fmt::format("{}: {}{} is beyond the range of a double",
                             place(text, text.find_last_of("0123456789", consumed - 1)),
                             place_by_key(last_key), overflowing_number(e.what())));
  }
}

}  // namespace mha::input
