#include "render/svg/heatmap.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "render/svg/labels.h"
#include "render/svg/style.h"
#include "render/ticks.h"

namespace mha::render {
namespace {

constexpr double kLargestCell = 48.0;
constexpr double kSmallestCell = 4.0;
constexpr double kSquareFrom = 20.0;  ///< cells that can be this large are squares
constexpr double kSliceGap = 12.0;    ///< between the heads' slices
constexpr double kLabelsApart = 6.0;

double gaps(const Side& side) { return kSliceGap * static_cast<double>(side.slices_before(side.size() - 1)); }

double cell_extent(const Side& side, double extent) {
  return std::clamp(std::floor(extent / static_cast<double>(side.size())), kSmallestCell, kLargestCell);
}

/// What a cell needs so that the axis's name is no longer than the axis.
double least_extent(const Side& side) {
  return std::ceil(text_width(side.name, kNameSize) / static_cast<double>(side.size()));
}

/// Where cell k of a side begins, from the side's beginning.
double offset(const Side& side, double cell, Index k) {
  return cell * static_cast<double>(k) + kSliceGap * static_cast<double>(side.slices_before(k));
}

/// Words under cells too narrow for them stand upright; numbered positions are thinned instead.
bool upright(const Side& cols, double cell) {
  constexpr std::size_t kLongestNumber = 6;
  return cols.widest_label() > kLongestNumber && label_width(cols) + kLabelsApart > cell &&
         cell >= kLabelHeight;
}

/// The size of the figures in the cells; 0 where they do not fit.
double value_size(const HeatmapDrawing& heatmap, double cell_width, double cell_height) {
  if (!heatmap.places) return 0.0;
  const std::string widest(heatmap.widest_value(), '0');
  for (const double size : {13.0, 12.0, 11.0, 10.0}) {
    if (text_width(widest, size) + 4.0 <= cell_width && size + 4.0 <= cell_height) return size;
  }
  return 0.0;
}

}  // namespace

Extents heatmap_extents(const HeatmapDrawing& heatmap, double side) {
  double width = cell_extent(heatmap.cols, side);
  double height = cell_extent(heatmap.rows, side);
  if (std::min(width, height) >= kSquareFrom) width = height = std::min(width, height);
  // Columns that are narrow only to be squares may be as wide as their labels.
  const double labelled = std::ceil(label_width(heatmap.cols) + kLabelsApart);
  if (labelled <= cell_extent(heatmap.cols, side)) width = std::max(width, labelled);
  width = std::max(width, least_extent(heatmap.cols));
  height = std::max(height, least_extent(heatmap.rows));
  Extents room;
  room.width = width * static_cast<double>(heatmap.cols.size()) + gaps(heatmap.cols);
  room.height = height * static_cast<double>(heatmap.rows.size()) + gaps(heatmap.rows);
  room.left = label_width(heatmap.rows) + kLabelGap + kNameHeight;
  room.bottom =
      kLabelGap + kNameHeight + (upright(heatmap.cols, width) ? label_width(heatmap.cols) : kLabelHeight);
  // The label of the last cell may be wider than the cell.
  room.right = std::max(6.0, (label_width(heatmap.cols) - width) / 2.0);
  return room;
}

namespace {

struct CellSize {
  double width;
  double height;
};

/// The cells, and their values where there is room.
void draw_cells(SvgPen& pen, const HeatmapDrawing& heatmap, const Box& plot, const CellSize& cell) {
  const double width = cell.width;
  const double height = cell.height;
  const auto x_of = [&](Index c) { return plot.x + offset(heatmap.cols, width, c); };
  const auto y_of = [&](Index r) { return plot.y + offset(heatmap.rows, height, r); };

  // A seam between large cells lets each be seen; small ones would be all seam.
  const double seam = std::min(width, height) >= 16.0 ? 1.0 : 0.0;
  pen.open("class=\"cells\" shape-rendering=\"crispEdges\"");
  for (Index r = 0; r < heatmap.rows.size(); ++r) {
    for (Index c = 0; c < heatmap.cols.size(); ++c) {
      const Rgb fill = heatmap.cells.masked(r, c) ? kMasked : heatmap.scale.color(heatmap.cells.values(r, c));
      pen.rectangle({x_of(c), y_of(r), width - seam, height - seam}, fill, "", heatmap.told(r, c));
    }
  }
  pen.close();

  // A pointer at a value means the cell under it.
  const double size = value_size(heatmap, width, height);
  if (size <= 0.0) return;
  pen.open("class=\"values\" pointer-events=\"none\"");
  for (Index r = 0; r < heatmap.rows.size(); ++r) {
    for (Index c = 0; c < heatmap.cols.size(); ++c) {
      if (heatmap.cells.masked(r, c)) continue;
      pen.text({x_of(c) + width / 2.0, y_of(r) + height / 2.0}, heatmap.value_text(r, c),
               {.size = size, .color = ink_on(heatmap.scale.color(heatmap.cells.values(r, c)))});
    }
  }
  pen.close();
}

/// The same with as few bytes as there can be: the masked ones are what lies under the others.
void draw_plain_cells(SvgPen& pen, const HeatmapDrawing& heatmap, const Box& plot, const CellSize& cell) {
  pen.open("class=\"cells\" shape-rendering=\"crispEdges\"");
  pen.rectangle(plot, kMasked);
  for (Index r = 0; r < heatmap.rows.size(); ++r) {
    for (Index c = 0; c < heatmap.cols.size(); ++c) {
      if (heatmap.cells.masked(r, c)) continue;
      pen.path(fmt::format("M{} {}h{}v{}h-{}z", coordinate(plot.x + offset(heatmap.cols, cell.width, c)),
                           coordinate(plot.y + offset(heatmap.rows, cell.height, r)), coordinate(cell.width),
                           coordinate(cell.height), coordinate(cell.width)),
               fmt::format("fill=\"{}\"", hex(heatmap.scale.color(heatmap.cells.values(r, c)))));
    }
  }
  pen.close();
}

}  // namespace

void draw_heatmap(SvgPen& pen, const HeatmapDrawing& heatmap, const Box& plot) {
  const double width = (plot.width - gaps(heatmap.cols)) / static_cast<double>(heatmap.cols.size());
  const double height = (plot.height - gaps(heatmap.rows)) / static_cast<double>(heatmap.rows.size());
  const auto x_of = [&](Index c) { return plot.x + offset(heatmap.cols, width, c); };
  const auto y_of = [&](Index r) { return plot.y + offset(heatmap.rows, height, r); };

  if (heatmap.plain) {
    draw_plain_cells(pen, heatmap, plot, {width, height});
  } else {
    draw_cells(pen, heatmap, plot, {width, height});
  }

  const Index row_step = label_step(height, kLabelHeight);
  for (Index r = 0; r < heatmap.rows.size(); r += row_step) {
    pen.text({plot.x - kLabelGap, y_of(r) + height / 2.0}, heatmap.rows.labels[static_cast<std::size_t>(r)],
             {.size = kLabelSize, .anchor = Anchor::kEnd});
  }
  const bool up = upright(heatmap.cols, width);
  const Index col_step = label_step(width, up ? kLabelHeight : label_width(heatmap.cols) + kLabelsApart);
  for (Index c = 0; c < heatmap.cols.size(); c += col_step) {
    const double x = x_of(c) + width / 2.0;
    const std::string& label = heatmap.cols.labels[static_cast<std::size_t>(c)];
    if (up) {
      pen.text({x, plot.bottom() + kLabelGap}, label,
               {.size = kLabelSize, .anchor = Anchor::kEnd, .upwards = true});
    } else {
      pen.text({x, plot.bottom() + kLabelGap + kLabelHeight / 2.0}, label, {.size = kLabelSize});
    }
  }

  const double below = kLabelGap + (up ? label_width(heatmap.cols) : kLabelHeight) + kNameHeight / 2.0 + 2.0;
  const TextStyle name{.size = kNameSize, .color = kQuiet};
  pen.text({plot.centre().x, plot.bottom() + below}, heatmap.cols.name, name);
  TextStyle upwards = name;
  upwards.upwards = true;
  pen.text({plot.x - kLabelGap - label_width(heatmap.rows) - kNameHeight / 2.0 - 2.0, plot.centre().y},
           heatmap.rows.name, upwards);
}

}  // namespace mha::render
