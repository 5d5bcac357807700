#include "input/formats/npy_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <set>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "input/formats/byte_source.h"
#include "input/formats/place.h"
#include "text/number.h"
#include "text/unicode.h"

namespace mha::input {
namespace {

constexpr std::array kMagic = {'\x93', 'N', 'U', 'M', 'P', 'Y'};
/// Enough for structures with hundreds of fields.
constexpr std::size_t kLongestNpyHeader = std::size_t{1} << 20;

bool is_big_endian(std::string_view descr) {
  if (descr.starts_with('<') || descr.starts_with('>')) return descr.front() == '>';
  return std::endian::native == std::endian::big;
}

/// `f8` of `<f8`.
std::string_view without_order(std::string_view descr) {
  if (!descr.empty() && std::string_view("<>=|").find(descr.front()) != std::string_view::npos)
    descr.remove_prefix(1);
  return descr;
}

/// The type that NumPy's array interface writes so, a kind and a size: `f8`.
const EntryType* type_of(std::string_view descr, bool big_endian) {
  constexpr std::array<TypeCode, 12> kCodes = {{
      {"f8", "float64"},
      {"f4", "float32"},
      {"f2", "float16"},
      {"i8", "int64"},
      {"i4", "int32"},
      {"i2", "int16"},
      {"i1", "int8"},
      {"u8", "uint64"},
      {"u4", "uint32"},
      {"u2", "uint16"},
      {"u1", "uint8"},
      {"b1", "bool"},
  }};
  return entry_type(kCodes, descr, big_endian);
}

constexpr int kMostBrackets = 16;

/// Parses the dictionary that the header is, `{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }`:
/// the keys in any order, spaces and a trailing comma where Python has them. Nothing is evaluated.
class Parser {
 public:
  Parser(std::string_view text, const std::string& place) : text_(text), place_(place) {}

  NpyHeader header() {
    NpyHeader header;
    std::set<std::string> seen;
    expect('{');
    while (!accept('}')) {
      const std::string key = string();
      if (!seen.insert(key).second) refuse(fmt::format("{} is given twice", quoted_key(key)));
      expect(':');
      if (key == "descr") {
        const bool is_number = peek() == '\'' || peek() == '"';
        header.dtype = is_number ? string() : skipped();  // else a list of a structure's fields
        if (is_number) {
          header.big_endian = is_big_endian(header.dtype);
          header.type = type_of(without_order(header.dtype), header.big_endian);
        }
        if (header.type != nullptr) header.dtype = header.type->name;
      } else if (key == "fortran_order") {
        header.column_major = boolean();
      } else if (key == "shape") {
        header.shape = shape();
      } else {
        refuse(fmt::format("{} is not a key of a .npy header", quoted_key(key)));
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

  /// The next character that is not a space; NUL at the end.
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
    if (sizes.size() == 1 && !comma) refuse("the shape is not a tuple");
    return sizes;
  }

  /// A list or a tuple of such, of strings and numbers, as it stands.
  std::string skipped() {
    const std::size_t start = at_;
    skip(0);
    return std::string(text_.substr(start, at_ - start));
  }

  void skip(int depth) {
    if (depth == kMostBrackets) refuse(fmt::format("more than {} levels of brackets", kMostBrackets));
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

NpyHeader read_npy_header(const std::function<void(std::span<std::byte>)>& next, const std::string& place) {
  std::array<std::byte, 8> magic{};
  next(magic);
  if (!std::equal(kMagic.begin(), kMagic.end(), magic.begin(),
                  [](char want, std::byte is) { return static_cast<std::byte>(want) == is; }))
    refuse(place, "does not begin like a .npy array");
  const auto major = std::to_integer<unsigned>(magic[6]);
  const auto minor = std::to_integer<unsigned>(magic[7]);
  if (major < 1 || major > 3 || minor != 0)
    refuse(place, fmt::format("version {}.{} of the .npy format; 1.0, 2.0 and 3.0 are read", major, minor));
  // How long the text is; how many bytes say so depends on the version.
  std::array<std::byte, 4> length_bytes{};
  const std::span<std::byte> prefix = std::span(length_bytes).first(major == 1 ? 2 : 4);
  next(prefix);
  const std::size_t length = little_endian(prefix);
  if (length > kLongestNpyHeader)
    refuse(place,
           fmt::format("the header's length is {}; at most {} bytes are read", length, kLongestNpyHeader));
  std::string text(length, '\0');
  next(std::as_writable_bytes(std::span(text)));
  NpyHeader header = Parser(text, place).header();
  header.size = magic.size() + prefix.size() + length;
  return header;
}

const EntryType& number_type(const NpyHeader& header, const std::string& place) {
  if (header.type != nullptr) return *header.type;
  const std::string pickled =
      header.dtype.find('O') != std::string::npos ? " (Python objects are a pickle, and are never read)" : "";
  refuse(place, fmt::format("dtype {} is not read{}; float64, float32, float16, integers and bool are",
                            quoted_key(header.dtype), pickled));
}

std::size_t string_size(const NpyHeader& header) {
  const std::string_view kind = without_order(header.dtype);
  if (header.type != nullptr || kind.empty() || (kind.front() != 'U' && kind.front() != 'S')) return 0;
  constexpr std::size_t kLongestString = std::size_t{1} << 20;
  const auto length = text::parse_whole(kind.substr(1));
  if (!length || *length > kLongestString) return 0;
  return static_cast<std::size_t>(*length) * (kind.front() == 'U' ? 4 : 1);
}

std::vector<std::string> strings_of(const NpyHeader& header, std::span<const std::byte> entries) {
  const std::size_t size = string_size(header);
  const std::size_t unit = without_order(header.dtype).front() == 'U' ? 4 : 1;
  std::vector<std::string> strings;
  for (; entries.size() >= size && size > 0; entries = entries.subspan(size)) {
    std::string& string = strings.emplace_back();
    for (std::size_t at = 0; at < size; at += unit) {
      std::array<std::byte, 4> character{};
      std::copy_n(entries.begin() + static_cast<std::ptrdiff_t>(at), unit, character.begin());
      if (unit == 4 && header.big_endian) std::reverse(character.begin(), character.end());
      const auto code = static_cast<char32_t>(little_endian(std::span(character).first(unit)));
      if (unit == 4) {
        text::append_utf8(code, string);
      } else {
        string += static_cast<char>(code);
      }
    }
    string.erase(string.find_last_not_of('\0') + 1);
  }
  return strings;
}

}  // namespace mha::input
