#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "render/color_scale.h"
#include "render/pooling.h"
#include "report/figure.h"

/// A figure made ready: what every renderer has to decide alike. Values are read, pooled to what the
/// medium has room for, and given their scale; labels are safe to show. What is left is to place things.
namespace mha::render {

/// What a medium has room for.
struct Room {
  Index cells;                ///< along a side of a heatmap
  Index points;               ///< of a stem or a curve
  std::size_t label_columns;  ///< a longer label is cut
  bool plain = false;         ///< nothing in a cell but its colour
};

/// An axis, a label for each cell along it.
struct Side {
  std::string name;
  std::vector<std::string> labels;
  std::vector<std::string> covers;  ///< the same, or of several positions the first and the last
  Index slice;                      ///< cells per head where the heads are set apart, otherwise 0

  [[nodiscard]] Index size() const { return static_cast<Index>(labels.size()); }
  [[nodiscard]] std::size_t widest_label() const;  ///< in columns
  /// Slices before cell `k`.
  [[nodiscard]] Index slices_before(Index k) const { return slice > 0 ? k / slice : 0; }
};

struct HeatmapDrawing {
  Cells cells;
  ColorScale scale;
  Side rows;
  Side cols;
  std::string value_name;
  std::optional<int> places;  ///< decimals for the values in the cells; none when they cannot be shown
  report::Pooled pooled;      ///< what a cell shows that stands for several entries
  bool plain = false;         ///< nothing in a cell but its colour, and a pointer is told nothing

  [[nodiscard]] std::string value_text(Index r, Index c) const;
  [[nodiscard]] std::size_t widest_value() const;  ///< in columns
  /// What a pointer at a cell is told: where it is, and its value at full precision.
  [[nodiscard]] std::string told(Index r, Index c) const;
};

struct StemDrawing {
  std::vector<double> values;
  report::Scale scale;
  Side positions;
  std::string value_name;
  Index visible;
  double low;  ///< the axis: low ≤ 0 ≤ high, both 0 where nothing else is to be seen
  double high;

  /// How far up the axis a value is, 0 to 1.
  [[nodiscard]] double height(double value) const;
  [[nodiscard]] std::string value_text(double value) const;
  /// What a pointer at a stem is told.
  [[nodiscard]] std::string told(Index k) const;
};

struct CurvesDrawing {
  std::string position_name;
  std::string value_name;
  std::vector<Index> positions;    ///< of the points, counted from 1
  std::vector<std::string> names;  ///< of the curves, the ceiling's first
  std::vector<std::string> marks;  ///< of the curves without the ceiling, a character one column wide each
  std::vector<std::vector<double>> values;
  double high;  ///< the axis goes from 0 to here, 0 where nothing else is to be seen

  [[nodiscard]] double height(double value) const { return high > 0.0 ? value / high : 0.0; }
  /// What a pointer at a curve's point is told.
  [[nodiscard]] std::string told(std::size_t curve, std::size_t point) const;
};

struct SignDrawing {
  std::string text;
};

struct PanelDrawing {
  std::string title;
  std::string note;  ///< what a cell or point stands for, when it is not one entry
  std::variant<HeatmapDrawing, StemDrawing, CurvesDrawing, SignDrawing> content;
};

struct Drawing {
  std::string title;
  std::string description;
  std::size_t columns;
  std::vector<PanelDrawing> panels;
  std::optional<ColorScale> common_scale;  ///< of all heatmaps; none when each has its own
  bool masked;                             ///< some cell or position is

  /// Null where there is none.
  [[nodiscard]] const HeatmapDrawing* first_heatmap() const;
};

/// Reads every matrix of the figure once. Throws std::runtime_error for an entry that is not finite.
Drawing prepare(const report::Figure& figure, const Room& room);

/// What a masked cell is, for a legend.
inline constexpr const char* kMaskedMeaning = "masked: a key after the query";

}  // namespace mha::render
