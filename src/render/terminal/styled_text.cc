#include "render/terminal/styled_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ostream>
#include <utility>

#include "render/unicode.h"

namespace mha::render {
namespace {

int squared_distance(Rgb a, Rgb b) {
  const int red = a.red - b.red;
  const int green = a.green - b.green;
  const int blue = a.blue - b.blue;
  return red * red + green * green + blue * blue;
}

/// The nearest of xterm's 256 colours: the 6 × 6 × 6 cube from 16 on, or the 24 greys from 232 on. The
/// first 16 are the user's to choose.
int nearest_of_256(Rgb color) {
  const auto level = [&](std::uint8_t channel) {
    const auto* const nearest = std::min_element(kCubeLevels.begin(), kCubeLevels.end(), [&](int a, int b) {
      return std::abs(a - channel) < std::abs(b - channel);
    });
    return static_cast<std::size_t>(nearest - kCubeLevels.begin());
  };
  const std::size_t r = level(color.red);
  const std::size_t g = level(color.green);
  const std::size_t b = level(color.blue);
  int index = static_cast<int>(16 + 36 * r + 6 * g + b);
  int least = squared_distance(color, {kCubeLevels[r], kCubeLevels[g], kCubeLevels[b]});
  for (int k = 0; k < 24; ++k) {
    const auto grey = static_cast<std::uint8_t>(8 + 10 * k);
    const int distance = squared_distance(color, {grey, grey, grey});
    if (distance < least) {
      least = distance;
      index = 232 + k;
    }
  }
  return index;
}

std::string color_code(int selector, Rgb color, Colors colors) {
  return colors == Colors::k24Bit
             ? fmt::format(";{};2;{};{};{}", selector, color.red, color.green, color.blue)
             : fmt::format(";{};5;{}", selector, nearest_of_256(color));
}

/// The escape sequence (ECMA-48 SGR) that sets a look, everything else reset.
std::string escape(const Look& look, Colors colors) {
  std::string codes = "0";
  if (look.bold) codes += ";1";
  if (look.ink) codes += color_code(38, *look.ink, colors);
  if (look.ground) codes += color_code(48, *look.ground, colors);
  return fmt::format("\x1b[{}m", codes);
}

}  // namespace

void TextLine::add(std::string_view text, const Look& look) {
  columns_ += display_columns(text);
  if (!pieces_.empty() && pieces_.back().look == look) {
    pieces_.back().text += text;
  } else if (!text.empty()) {
    pieces_.push_back({std::string(text), look});
  }
}

void TextLine::add(const TextLine& line) {
  for (const Piece& piece : line.pieces_) add(piece.text, piece.look);
}

void TextLine::pad_to(std::size_t columns) {
  if (columns_ < columns) add(std::string(columns - columns_, ' '));
}

void TextLine::write(Colors colors, std::ostream& out) const {
  std::string text;
  std::size_t seen = 0;  // up to where there is something to see
  Look current;
  for (const Piece& piece : pieces_) {
    if (colors != Colors::kNone && !(piece.look == current)) {
      text += escape(piece.look, colors);
      seen = text.size();
      current = piece.look;
    }
    text += piece.text;
    const bool ground = colors != Colors::kNone && piece.look.ground;
    const std::size_t last = ground ? text.size() - 1 : text.find_last_not_of(' ');
    if (last != std::string::npos) seen = std::max(seen, last + 1);
  }
  text.erase(seen);
  if (!(current == Look{})) text += "\x1b[0m";
  out << text << '\n';
}

std::size_t widest(const TextBlock& block) {
  std::size_t columns = 0;
  for (const TextLine& line : block) columns = std::max(columns, line.columns());
  return columns;
}

void append(TextBlock& block, TextBlock more) {
  for (TextLine& line : more) block.push_back(std::move(line));
}

TextBlock wrapped(const std::string& text, std::size_t columns, const Look& look) {
  TextBlock block;
  if (text.empty()) return block;
  for (const std::string& line : wrap(text, columns)) block.emplace_back(line, look);
  return block;
}

TextLine labels_at(const std::vector<Label>& labels, std::size_t columns) {
  TextLine line;
  for (const auto& [middle, text] : labels) {
    const std::size_t width = display_columns(text);
    const std::size_t start = middle - std::min(middle, width / 2);
    const std::size_t free = line.columns() + (line.columns() > 0 ? 1 : 0);
    if (start < free || start + width > columns) continue;
    line.pad_to(start);
    line.add(text);
  }
  return line;
}

void Canvas::put(std::size_t x, std::size_t y, std::string_view character, const Look& look) {
  if (x < columns_ && y < rows_) spots_[y * columns_ + x] = {std::string(character), look};
}

void Canvas::write(std::size_t x, std::size_t y, std::string_view text, const Look& look) {
  while (!text.empty()) {
    const std::size_t length = std::max<std::size_t>(1, utf8_length(text));
    put(x++, y, text.substr(0, length), look);
    text.remove_prefix(length);
  }
}

TextLine Canvas::row(std::size_t y) const {
  TextLine line;
  for (std::size_t x = 0; x < columns_; ++x) {
    const Spot& spot = spots_[y * columns_ + x];
    line.add(spot.character, spot.look);
  }
  return line;
}

}  // namespace mha::render
