#pragma once

#include <cstddef>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "render/colors.h"
#include "render/terminal/terminal.h"

/// Text with colours, while it is laid out.
namespace mha::render {

struct Axis;

/// How a piece of text looks; without a colour it keeps the terminal's own.
struct Look {
  std::optional<Rgb> ink = {};
  std::optional<Rgb> ground = {};
  bool bold = false;

  bool operator==(const Look&) const = default;
};

/// One line: pieces of text and how each looks.
class TextLine {
 public:
  TextLine() = default;
  /// Not explicit: a text is a line with one piece.
  TextLine(std::string_view text, const Look& look = {}) { add(text, look); }

  void add(std::string_view text, const Look& look = {});
  void add(const TextLine& line);
  /// Blanks until the line takes that many columns.
  void pad_to(std::size_t columns);
  [[nodiscard]] std::size_t columns() const { return columns_; }

  /// Writes it with a line end, without invisible blanks at the end.
  void write(Colors colors, std::ostream& out) const;

 private:
  struct Piece {
    std::string text;
    Look look;
  };
  std::vector<Piece> pieces_;
  std::size_t columns_ = 0;
};

using TextBlock = std::vector<TextLine>;

/// What a panel may take of the screen.
struct TextSpace {
  std::size_t columns;
  Colors colors;
  bool alone;  ///< no other panel stands beside it
};

std::size_t widest(const TextBlock& block);

void append(TextBlock& block, TextBlock more);

/// The text in lines of at most `columns` that look alike.
TextBlock wrapped(const std::string& text, std::size_t columns, const Look& look = {});

/// How wide a panel's title, note and colour bar may be: a little wider than a narrow panel.
std::size_t caption_columns(const TextBlock& body, std::size_t columns);

/// A masked cell.
inline constexpr const char* kMaskedGlyph = "·";

/// Adds a label whose middle belongs to that column, unless it would touch the one before or go beyond
/// `columns`.
void add_label(TextLine& line, std::size_t middle, std::string_view label, std::size_t columns);

/// The labels of cells that begin at `starts` and are `cell` wide, as many as do not touch.
TextLine axis_labels(const Axis& axis, std::size_t cell, const std::vector<std::size_t>& starts,
                     std::size_t columns);

/// A rectangle of characters to draw on, row 0 on top; drawing outside does nothing.
class Canvas {
 public:
  Canvas(std::size_t columns, std::size_t rows)
      : columns_(columns), rows_(rows), spots_(columns * rows, Spot{" ", {}}) {}

  void put(std::size_t x, std::size_t y, std::string_view character, const Look& look = {});
  void write(std::size_t x, std::size_t y, std::string_view number);
  [[nodiscard]] bool empty(std::size_t x, std::size_t y) const {
    return spots_[y * columns_ + x].character == " ";
  }
  [[nodiscard]] TextLine row(std::size_t y) const;
  [[nodiscard]] std::size_t columns() const { return columns_; }
  [[nodiscard]] std::size_t rows() const { return rows_; }

 private:
  struct Spot {
    std::string character;
    Look look;
  };
  std::size_t columns_;
  std::size_t rows_;
  std::vector<Spot> spots_;
};

}  // namespace mha::render
