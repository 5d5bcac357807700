#include "text/unicode.h"

#include <algorithm>
#include <array>

namespace mha::text {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD
constexpr std::string_view kEllipsis = "…";

/// The length of the well-formed character that `text` starts with, 0 if there is none.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  const std::size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  const bool longer_than_needed = (lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xF0 && byte(1) < 0x90);
  const bool surrogate = lead == 0xED && byte(1) >= 0xA0;
  const bool beyond_the_last = lead == 0xF4 && byte(1) >= 0x90;
  return longer_than_needed || surrogate || beyond_the_last ? 0 : length;
}

bool shown(char32_t point) {
  const bool control = point < 0x20 || (point >= 0x7F && point < 0xA0);
  // Line separators and the marks that turn the direction of what follows, up to the end of the line.
  const bool layout = (point >= 0x2028 && point <= 0x202E) || (point >= 0x2066 && point <= 0x2069);
  return !control && !layout && (point & 0xFFFE) != 0xFFFE;
}

struct Range {
  char32_t first;
  char32_t last;
};

// Blocks, not the whole of Unicode's tables: labels are tokens, and a column too many is only a gap.
constexpr std::array kWide = {Range{0x1100, 0x115F},   Range{0x2E80, 0x303E},   Range{0x3041, 0xA4CF},
                              Range{0xA960, 0xA97F},   Range{0xAC00, 0xD7A3},   Range{0xF900, 0xFAFF},
                              Range{0xFE30, 0xFE6F},   Range{0xFF00, 0xFF60},   Range{0xFFE0, 0xFFE6},
                              Range{0x1F1E6, 0x1F1FF}, Range{0x1F300, 0x1FAFF}, Range{0x20000, 0x3FFFD}};
constexpr std::array kWithout = {Range{0x0300, 0x036F}, Range{0x0483, 0x0489}, Range{0x0591, 0x05BD},
                                 Range{0x0610, 0x061A}, Range{0x064B, 0x065F}, Range{0x200B, 0x200F},
                                 Range{0x20D0, 0x20F0}, Range{0xFE00, 0xFE0F}, Range{0xE0100, 0xE01EF}};

template <std::size_t N>
bool within(const std::array<Range, N>& ranges, char32_t point) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [&](const Range& range) { return point >= range.first && point <= range.last; });
}

std::size_t columns_of(std::string_view character) {
  const char32_t point = decode(character);
  return within(kWithout, point) ? 0 : within(kWide, point) ? 2 : 1;
}

/// The longest beginning of a showable text that takes at most `columns`, in bytes.
std::size_t fitting(std::string_view text, std::size_t columns) {
  std::size_t bytes = 0;
  std::size_t taken = 0;
  while (bytes < text.size()) {
    const std::string_view character = first_character(text.substr(bytes));
    taken += columns_of(character);
    if (taken > columns) break;
    bytes += character.size();
  }
  return bytes;
}

}  // namespace

char32_t decode(std::string_view character) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(character[i]); };
  if (character.size() == 1) return byte(0);
  char32_t point = byte(0) & (0xFFU >> (character.size() + 1));
  for (std::size_t i = 1; i < character.size(); ++i) point = point << 6 | (byte(i) & 0x3FU);
  return point;
}

std::string_view first_character(std::string_view text) {
  return text.substr(0, std::max<std::size_t>(1, utf8_length(text)));
}

void append_utf8(char32_t code, std::string& text) {
  constexpr std::array<char32_t, 4> kFirstOf = {0, 0x80, 0x800, 0x10000};  // characters of 1, 2, 3, 4 bytes
  if (code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) {
    text += kReplacement;
    return;
  }
  if (code < kFirstOf[1]) {
    text += static_cast<char>(code);
    return;
  }
  const int rest = code < kFirstOf[2] ? 1 : code < kFirstOf[3] ? 2 : 3;
  text += static_cast<char>((0xFF00U >> (rest + 1) & 0xFFU) | code >> 6 * rest);
  for (int i = rest - 1; i >= 0; --i) text += static_cast<char>(0x80U | (code >> 6 * i & 0x3FU));
}

std::string showable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(1, length));
    result += length > 0 && shown(decode(character)) ? character : kReplacement;
    text.remove_prefix(character.size());
  }
  return result;
}

std::size_t display_columns(std::string_view text) {
  std::size_t columns = 0;
  while (!text.empty()) {
    const std::string_view character = first_character(text);
    columns += columns_of(character);
    text.remove_prefix(character.size());
  }
  return columns;
}

std::string cut(std::string_view text, std::size_t columns) {
  if (display_columns(text) <= columns) return std::string(text);
  if (columns == 0) return "";
  return std::string(text.substr(0, fitting(text, columns - 1))) + std::string(kEllipsis);
}

std::vector<std::string> wrap(std::string_view text, std::size_t columns) {
  columns = std::max<std::size_t>(2, columns);  // the widest character
  std::vector<std::string> lines;
  while (display_columns(text) > columns) {
    const std::size_t bytes = fitting(text, columns);
    // A blank right after what fits is as good a place as one within it.
    const std::size_t blank = text.rfind(' ', bytes);
    const bool at_blank = blank != std::string_view::npos && blank > 0;
    lines.emplace_back(text.substr(0, at_blank ? blank : bytes));
    text.remove_prefix(at_blank ? blank + 1 : bytes);
  }
  lines.emplace_back(text);
  return lines;
}

}  // namespace mha::text
