#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "report/lazy_matrix.h"

/// Figures as data: what to show, not how. Making one computes nothing: its values are read only when it is
/// drawn.
namespace mha::report {

/// The positions along one side of a panel.
struct Axis {
  std::string name;                         ///< what they are: "key position i"
  std::function<std::string(Index)> label;  ///< the label of position 0, 1, …; any text at all
  Index slice = 0;                          ///< positions per head, if the heads are set apart
};

/// The labels prefix1, prefix2, …
inline std::function<std::string(Index)> numbered(std::string prefix) {
  return [prefix = std::move(prefix)](Index position) { return prefix + std::to_string(position + 1); };
}

/// How values become colours or heights.
enum class Scale {
  kWeight,  ///< from 0 to 1 whatever the values, so that heads compare
  kSigned,  ///< as far as the values go, 0 neutral; symmetric about 0 where they have both signs
};

/// Whether an entry has a value: one that a query does not see has none, and is not 0. Null: every one has.
using Sees = std::function<bool(Index row, Index column)>;

/// Which of its entries a pooled cell shows.
enum class Pooled {
  kFarthest,  ///< the one farthest from 0: weights
  kLeast,     ///< the smallest: distances, where the nearest matters
};

/// A matrix as coloured cells, row 1 on top.
struct Heatmap {
  LazyMatrix values;
  Scale scale;
  Sees sees;
  Axis rows;
  Axis cols;
  std::string value_name;  ///< what the colours are, with their unit if they have one
  Pooled pooled = Pooled::kFarthest;
};

/// A vector as stems; the positions from `visible` on are masked.
struct Stem {
  Vector values;
  Scale scale;
  Axis positions;
  std::string value_name;  ///< what the heights are, with their unit
  Index visible;
};

struct Curve {
  std::string name;
  Vector values;
  std::string mark = {};  ///< one character for it in a terminal, used if it is unique
};

/// Several vectors over the same positions, and the ceiling that none exceeds.
struct Curves {
  Axis positions;
  std::string value_name;
  Curve ceiling;
  std::vector<Curve> curves;
};

/// A sign between panels: +, =.
struct Sign {
  std::string text;
};

// As in report.h, copying and destroying these two is compiled once, in report.cc.

struct Panel {
  using Content = std::variant<Heatmap, Stem, Curves, Sign>;
  Panel(std::string heading, Content shown);
  Panel(const Panel& other);
  Panel(Panel&& other) noexcept;
  Panel& operator=(const Panel& other);
  Panel& operator=(Panel&& other) noexcept;
  ~Panel();

  std::string title;
  Content content;
};

struct Figure {
  Figure(std::string file, std::string heading, std::string seen, std::size_t grid_columns, bool shared_scale,
         std::vector<Panel> shown);
  Figure(const Figure& other);
  Figure(Figure&& other) noexcept;
  Figure& operator=(const Figure& other);
  Figure& operator=(Figure&& other) noexcept;
  ~Figure();

  std::string name;         ///< its file's name without .svg, unique in a document
  std::string title;        ///< one line
  std::string description;  ///< for readers who cannot see the figure
  std::size_t columns;      ///< of the grid; panels fill it row by row
  bool one_scale;           ///< panels of the same kind share a scale, so that colours and heights compare
  std::vector<Panel> panels;
};

}  // namespace mha::report
