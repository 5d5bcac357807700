#include "render/terminal/styled_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ostream>
#include <utility>

#include "text/unicode.h"

namespace mha::render {
namespace {

/// The nearest colour of xterm's 6 × 6 × 6 cube. Its 24 greys are not nearer to any colour in use, and the
/// first 16 are the user's to choose.
int nearest_of_256(Rgb color) {
  const auto level = [](std::uint8_t channel) {
    const auto* const nearest = std::min_element(kCubeLevels.begin(), kCubeLevels.end(), [&](int a, int b) {
      return std::abs(a - channel) < std::abs(b - channel);
    });
    return static_cast<int>(nearest - kCubeLevels.begin());
  };
  return 16 + 36 * level(color.red) + 6 * level(color.green) + level(color.blue);
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
  columns_ += text::display_columns(text);
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
  std::size_t seen = 0;  // the length up to the last visible character
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
  for (const std::string& line : text::wrap(text, columns)) block.emplace_back(line, look);
  return block;
}

TextLine labels_at(const std::vector<Label>& labels, std::size_t columns) {
  TextLine line;
  for (const auto& [middle, text] : labels) {
    const std::size_t width = text::display_columns(text);
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
    const std::string_view character = text::first_character(text);
    put(x++, y, character, look);
    text.remove_prefix(character.size());
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
