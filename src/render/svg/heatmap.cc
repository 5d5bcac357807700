#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "render/drawing.h"
#include "render/svg/svg_writer.h"
#include "render/ticks.h"
#include "text/number.h"

namespace mha::render {
namespace {

constexpr double kLargestCell = 48.0;
constexpr double kSmallestCell = 4.0;
constexpr double kSquareFrom = 20.0;  ///< cells of this size and more are squares
constexpr double kSliceGap = 12.0;    ///< between the heads' slices
constexpr double kLabelsApart = 6.0;
constexpr double kBarGap = 14.0;        ///< from the plot to its bar
constexpr double kBarNameSpace = 24.0;  ///< right of the bar's numbers

double label_width(const Axis& axis) { return text_width(widest(axis.labels), kLabelSize); }

double gaps(const Axis& axis) { return kSliceGap * static_cast<double>(axis.slices_before(axis.size() - 1)); }

double cell_extent(const Axis& axis, double extent) {
  return std::clamp(std::floor(extent / static_cast<double>(axis.size())), kSmallestCell, kLargestCell);
}

/// The cell size at which the axis is as long as its name.
double least_extent(const Axis& axis) {
  return std::ceil(text_width(axis.name, kNameSize) / static_cast<double>(axis.size()));
}

/// Where cell k begins, from the beginning of its axis.
double offset(const Axis& axis, double cell, Index k) {
  return cell * static_cast<double>(k) + kSliceGap * static_cast<double>(axis.slices_before(k));
}

/// Whether labels wider than their cells are turned by 90°; numbered positions are thinned instead.
bool upright(const Axis& cols, double cell) {
  constexpr std::size_t kLongestNumber = 6;
  return widest(cols.labels) > kLongestNumber && label_width(cols) + kLabelsApart > cell &&
         cell >= kLabelHeight;
}

/// Where the cells of a heatmap lie.
struct CellGrid {
  const HeatmapDrawing& heatmap;
  const Box& plot;
  double width = (plot.width - gaps(heatmap.cols)) / static_cast<double>(heatmap.cols.size());
  double height = (plot.height - gaps(heatmap.rows)) / static_cast<double>(heatmap.rows.size());

  [[nodiscard]] Box cell(Index r, Index c) const {
    return {plot.x + offset(heatmap.cols, width, c), plot.y + offset(heatmap.rows, height, r), width, height};
  }
  template <typename Visit>
  void for_each(const Visit& visit) const {
    for (Index r = 0; r < heatmap.rows.size(); ++r) {
      for (Index c = 0; c < heatmap.cols.size(); ++c) visit(r, c, cell(r, c));
    }
  }
};

/// The font size of the values in the cells; 0 where they do not fit.
double value_size(const CellGrid& grid) {
  if (!grid.heatmap.places) return 0.0;
  const std::size_t widest = grid.heatmap.widest_value();
  for (const double size : {13.0, 12.0, 11.0, 10.0}) {
    if (text_width(widest, size) + 4.0 <= grid.width && size + 4.0 <= grid.height) return size;
  }
  return 0.0;
}

constexpr const char* kCellsGroup = "class=\"cells\" shape-rendering=\"crispEdges\"";

/// The cells, and their values where they fit.
void draw_cells(SvgWriter& svg, const CellGrid& grid) {
  const HeatmapDrawing& heatmap = grid.heatmap;
  // A gap sets large cells apart; small ones would be all gap.
  const double gap = std::min(grid.width, grid.height) >= 16.0 ? 1.0 : 0.0;
  svg.open(kCellsGroup);
  grid.for_each([&](Index r, Index c, const Box& cell) {
    const Rgb fill = heatmap.cells.masked(r, c) ? kMasked : heatmap.color(r, c);
    svg.rectangle({cell.x, cell.y, cell.width - gap, cell.height - gap}, fill, "", heatmap.tooltip(r, c));
  });
  svg.close();

  const double size = value_size(grid);
  if (size <= 0.0) return;
  svg.open("class=\"values\" pointer-events=\"none\"");  // the tooltip is that of the cell below
  grid.for_each([&](Index r, Index c, const Box& cell) {
    if (heatmap.cells.masked(r, c)) return;
    svg.text(cell.centre(), heatmap.value_text(r, c), {.size = size, .color = ink_on(heatmap.color(r, c))});
  });
  svg.close();
}

/// The same with as few bytes as possible: one rectangle below the others stands for all masked cells.
void draw_small_cells(SvgWriter& svg, const CellGrid& grid) {
  svg.open(kCellsGroup);
  svg.rectangle(grid.plot, kMasked);
  grid.for_each([&](Index r, Index c, const Box& cell) {
    if (grid.heatmap.cells.masked(r, c)) return;
    svg.path(fmt::format("M{} {}h{}v{}h-{}z", coordinate(cell.x), coordinate(cell.y), coordinate(cell.width),
                         coordinate(cell.height), coordinate(cell.width)),
             fmt::format("fill=\"{}\"", hex(grid.heatmap.color(r, c))));
  });
  svg.close();
}

/// How far up a colour bar its numbers stand, 0 to 1.
std::vector<double> bar_marks(const ColorScale& scale) {
  if (scale.low == scale.high) return {0.5};
  return {0.0, 0.5, 1.0};
}

}  // namespace

double ColorBar::extent() const {
  double widest = 0.0;
  for (const double mark : bar_marks(scale)) {
    widest = std::max(widest, text_width(text::compact(scale.at(mark)), kLabelSize));
  }
  return kBarWidth + 6.0 + widest + kBarNameSpace;
}

void ColorBar::draw(SvgWriter& svg, const Box& bar) const {
  constexpr int kSteps = 64;
  svg.open("class=\"bar\" shape-rendering=\"crispEdges\"");
  for (int k = 0; k < kSteps; ++k) {
    const double top = std::round(bar.y + bar.height * k / kSteps);
    const double bottom = std::round(bar.y + bar.height * (k + 1) / kSteps);
    const double value = scale.at(1.0 - static_cast<double>(k) / (kSteps - 1));
    svg.rectangle({bar.x, top, bar.width, bottom - top}, scale.color(value));
  }
  svg.close();
  for (const double mark : bar_marks(scale)) {
    svg.text({bar.right() + 6.0, bar.bottom() - mark * bar.height}, text::compact(scale.at(mark)),
             {.size = kLabelSize, .anchor = Anchor::kStart});
  }
  svg.text({bar.x + extent() - 0.5 * kNameSize, bar.centre().y}, value_name,
           {.size = kNameSize, .color = kQuiet, .upwards = true});
}

Extents HeatmapDrawing::extents(double side) const {
  double width = cell_extent(cols, side);
  double height = cell_extent(rows, side);
  if (std::min(width, height) >= kSquareFrom) width = height = std::min(width, height);
  // Squares are widened to their labels where there is space.
  const double labelled = std::ceil(label_width(cols) + kLabelsApart);
  if (labelled <= cell_extent(cols, side)) width = std::max(width, labelled);
  width = std::max(width, least_extent(cols));
  height = std::max(height, least_extent(rows));
  return {
      .left = label_width(rows) + kLabelGap + kNameHeight,
      // The label of the last cell may be wider than the cell.
      .right = std::max(6.0, (label_width(cols) - width) / 2.0) + (own_bar ? kBarGap + bar.extent() : 0.0),
      .bottom = kLabelGap + kNameHeight + (upright(cols, width) ? label_width(cols) : kLabelHeight),
      .width = width * static_cast<double>(cols.size()) + gaps(cols),
      .height = height * static_cast<double>(rows.size()) + gaps(rows),
      .fixed = true};
}

void HeatmapDrawing::draw(SvgWriter& svg, const Box& plot) const {
  const CellGrid grid{*this, plot};
  if (colors_only) {
    draw_small_cells(svg, grid);
  } else {
    draw_cells(svg, grid);
  }

  const Index row_step = label_step(grid.height, kLabelHeight);
  for (Index r = 0; r < rows.size(); r += row_step) {
    svg.text({plot.x - kLabelGap, grid.cell(r, 0).centre().y}, rows.labels[static_cast<std::size_t>(r)],
             {.size = kLabelSize, .anchor = Anchor::kEnd});
  }
  const bool up = upright(cols, grid.width);
  const Index col_step = label_step(grid.width, up ? kLabelHeight : label_width(cols) + kLabelsApart);
  for (Index c = 0; c < cols.size(); c += col_step) {
    svg.text({grid.cell(0, c).centre().x, plot.bottom() + kLabelGap + (up ? 0.0 : kLabelHeight / 2.0)},
             cols.labels[static_cast<std::size_t>(c)],
             {.size = kLabelSize, .anchor = up ? Anchor::kEnd : Anchor::kMiddle, .upwards = up});
  }

  const double below = kLabelGap + (up ? label_width(cols) : kLabelHeight) + kNameHeight / 2.0 + 2.0;
  svg.text({plot.centre().x, plot.bottom() + below}, cols.name, {.size = kNameSize, .color = kQuiet});
  svg.text({plot.x - kLabelGap - label_width(rows) - kNameHeight / 2.0 - 2.0, plot.centre().y}, rows.name,
           {.size = kNameSize, .color = kQuiet, .upwards = true});
  if (own_bar) bar.draw(svg, {plot.right() + kBarGap, plot.y, kBarWidth, plot.height});
}

}  // namespace mha::render
