#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "render/colors.h"
#include "report/figure.h"

/// A figure ready to draw: everything that every output decides alike. Values are read, pooled to what the
/// output can show, and scaled; labels are safe to show. An output only has to lay things out.
///
/// Each kind of panel is a struct with the three functions that draw it: one file in src/render/svg defines
/// extents() and draw(), one in src/render/terminal text(). Leaving one out is a link error.
namespace mha::render {

// Of svg/svg_writer.h.
class SvgWriter;
struct Box;
struct Extents;
// Of terminal/styled_text.h.
class TextLine;
struct TextSpace;
using TextBlock = std::vector<TextLine>;

/// How much of a figure an output can show.
struct Limits {
  Index cells;                ///< along a side of a heatmap
  Index points;               ///< of a stem plot or a curve
  std::size_t label_columns;  ///< longer labels are cut
  bool colors_only = false;   ///< cells without values and tooltips
};

/// The columns of the widest of these texts.
std::size_t widest(const std::vector<std::string>& texts);

/// One side of a plot, with a label for each cell along it.
struct Axis {
  std::string name;
  std::vector<std::string> labels;
  std::vector<std::string> ranges;  ///< the labels, or for several positions the first and the last
  Index slice;                      ///< cells per head where the heads are set apart, otherwise 0

  [[nodiscard]] Index size() const { return static_cast<Index>(labels.size()); }
  /// Slices before cell `k`.
  [[nodiscard]] Index slices_before(Index k) const { return slice > 0 ? k / slice : 0; }
};

/// A matrix in as many cells as a figure can show. A cell stands for rows_per_cell × cols_per_cell
/// entries and shows one of them: a mean would drown a diagonal of ones among the zeros beside it.
struct Cells {
  Matrix values;
  Index rows_per_cell;
  Index cols_per_cell;
  std::vector<char> seen;  ///< of each cell, row by row: whether some entry of it has a value
  Index rows;              ///< of the matrix
  Index cols;              ///< of the matrix
  double least;            ///< among the entries that are not masked
  double largest;          ///< among the entries that are not masked

  /// Whether a cell stands for several entries.
  [[nodiscard]] bool pooled() const { return rows_per_cell > 1 || cols_per_cell > 1; }
  /// Whether every entry that the cell stands for is masked.
  [[nodiscard]] bool masked(Index r, Index c) const {
    return seen[static_cast<std::size_t>(r * values.cols() + c)] == 0;
  }
};

/// A colour bar with the values of its ends, beside a panel or a whole figure.
struct ColorBar {
  ColorScale scale;
  std::string value_name;

  /// How wide it is with its numbers and its name.
  [[nodiscard]] double extent() const;
  void draw(SvgWriter& svg, const Box& bar) const;
  [[nodiscard]] TextBlock text(const TextSpace& space) const;
};

struct HeatmapDrawing {
  Cells cells;
  ColorBar bar;
  Axis rows;
  Axis cols;
  std::optional<int> places;  ///< decimals of the values in the cells; none when they cannot be shown
  report::Pooled pooled;      ///< which of its entries a pooled cell shows
  bool colors_only;           ///< cells without values and tooltips
  bool own_bar = true;        ///< false where the figure has a bar for all heatmaps

  [[nodiscard]] Rgb color(Index r, Index c) const { return bar.scale.color(cells.values(r, c)); }
  [[nodiscard]] std::string value_text(Index r, Index c) const;
  [[nodiscard]] std::size_t widest_value() const;  ///< in columns
  /// The cell's place, and its value at full precision.
  [[nodiscard]] std::string tooltip(Index r, Index c) const;

  [[nodiscard]] Extents extents(double side) const;
  void draw(SvgWriter& svg, const Box& plot) const;
  [[nodiscard]] TextBlock text(const TextSpace& space) const;
};

struct StemDrawing {
  std::vector<double> values;
  std::vector<std::string> value_texts;
  Axis positions;
  std::string value_name;
  Index visible;
  double low;  ///< the axis: low ≤ 0 ≤ high, both 0 if all values are
  double high;

  /// How far up the axis a value is, 0 to 1.
  [[nodiscard]] double height(double value) const;
  [[nodiscard]] std::string tooltip(std::size_t k) const;

  [[nodiscard]] Extents extents(double side) const;
  void draw(SvgWriter& svg, const Box& plot) const;
  [[nodiscard]] TextBlock text(const TextSpace& space) const;
};

struct CurvesDrawing {
  struct Curve {
    std::string name;
    std::vector<double> values;
    std::string mark;  ///< a character one column wide; the ceiling has none
  };
  std::string position_name;
  std::string value_name;
  std::vector<Index> positions;  ///< of the points, counted from 1
  std::vector<Curve> curves;     ///< the ceiling, then the others
  double high;                   ///< the axis goes from 0 to here, 0 if all values are

  [[nodiscard]] double height(double value) const { return high > 0.0 ? value / high : 0.0; }
  [[nodiscard]] std::string tooltip(std::size_t curve, std::size_t point) const;

  [[nodiscard]] Extents extents(double side) const;
  void draw(SvgWriter& svg, const Box& plot) const;
  [[nodiscard]] TextBlock text(const TextSpace& space) const;
};

struct SignDrawing {
  std::string sign;

  [[nodiscard]] Extents extents(double side) const;
  void draw(SvgWriter& svg, const Box& plot) const;
  [[nodiscard]] TextBlock text(const TextSpace& space) const;
};

struct PanelDrawing {
  std::string title;
  std::string note;  ///< what a pooled cell or a sampled point shows
  std::variant<HeatmapDrawing, StemDrawing, CurvesDrawing, SignDrawing> content;
};

struct Drawing {
  std::string title;
  std::string description;
  std::size_t columns;
  std::vector<PanelDrawing> panels;
  std::optional<ColorBar> common_bar;  ///< of all heatmaps; none when each has its own
  const char* masked_meaning;          ///< what masked cells are; null where there is none
};

/// Reads every matrix of the figure once. Throws std::runtime_error for an entry that is not finite.
Drawing prepare(const report::Figure& figure, const Limits& limits);

}  // namespace mha::render
