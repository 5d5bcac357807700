#include "render/drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "render/text/number.h"
#include "render/unicode.h"

namespace mha::render {
namespace {

/// Beyond this many cells along a side no medium has room for a number in each.
constexpr Index kMostWithValues = 32;

constexpr int kWeightPlaces = 2;

/// The least and the largest of several.
struct Extent {
  double least = 0.0;
  double largest = 0.0;

  void include(const Cells& cells) {
    least = std::min(least, cells.least);
    largest = std::max(largest, cells.largest);
  }
};

/// Of `count` positions, `per_cell` to a cell.
Side side(const report::Axis& axis, Index count, Index per_cell, const Room& room) {
  const Index cells = (count + per_cell - 1) / per_cell;
  Side side{showable(axis.name), {}, {}, per_cell == 1 && axis.slice < cells ? axis.slice : 0};
  const auto label = [&](Index k) { return cut(showable(axis.label(k)), room.label_columns); };
  for (Index first = 0; first < count; first += per_cell) {
    const Index last = std::min(first + per_cell, count) - 1;
    side.labels.push_back(label(first));
    side.covers.push_back(first == last ? side.labels.back() : side.labels.back() + "–" + label(last));
  }
  return side;
}

/// Decimals that tell the values of a panel apart: none for whole numbers, two or three digits otherwise.
std::optional<int> decimals(const Cells& cells, report::Scale scale) {
  const bool pooled = cells.rows_per_cell > 1 || cells.cols_per_cell > 1;
  if (pooled || std::max(cells.values.rows(), cells.values.cols()) > kMostWithValues) return std::nullopt;
  if (scale == report::Scale::kWeight) return kWeightPlaces;
  const double farthest = cells.values.cwiseAbs().maxCoeff();
  if (farthest >= 1e4) return std::nullopt;
  if ((cells.values.array() == cells.values.array().round()).all()) return 0;
  const int digits_before = static_cast<int>(std::floor(std::log10(farthest))) + 1;
  if (digits_before < -2) return std::nullopt;
  return std::max(0, digits_before > 0 ? 3 - digits_before : 2 - digits_before);
}

const char* which(report::Pooled pooled) {
  return pooled == report::Pooled::kLeast ? "least" : "farthest from 0";
}

std::string pooled_note(const char* what, Index rows_per_cell, Index cols_per_cell,
                        report::Pooled pooled = report::Pooled::kFarthest) {
  if (rows_per_cell == 1 && cols_per_cell == 1) return "";
  return cols_per_cell == 1 && rows_per_cell > 1
             ? fmt::format("each {} the {} of {}", what, which(pooled), rows_per_cell)
             : fmt::format("each {} the {} of {} × {}", what, which(pooled), rows_per_cell, cols_per_cell);
}

std::vector<double> column(const Cells& cells) {
  return {cells.values.data(), cells.values.data() + cells.values.size()};
}

/// Announces what a panel reads whole. Curves are sampled, which is soon done.
void plan(const report::Panel& panel) {
  const auto whole = [](const report::LazyMatrix& matrix) { matrix.plan(matrix.rows()); };
  if (const auto* heatmap = std::get_if<report::Heatmap>(&panel.content)) whole(heatmap->values);
  if (const auto* stem = std::get_if<report::Stem>(&panel.content)) whole(stem->values.column);
}

/// First pass: what is read. Panels keep their own extents until all are known.
PanelDrawing read(const report::Heatmap& heatmap, const Room& room) {
  Cells cells = pool(heatmap.values, heatmap.mask, room.cells, heatmap.pooled);
  Side rows = side(heatmap.rows, heatmap.values.rows(), cells.rows_per_cell, room);
  Side cols = side(heatmap.cols, heatmap.values.cols(), cells.cols_per_cell, room);
  const ColorScale scale(heatmap.scale, cells.least, cells.largest);
  const std::optional<int> places = decimals(cells, heatmap.scale);
  std::string note = pooled_note("cell", cells.rows_per_cell, cells.cols_per_cell, heatmap.pooled);
  return {"", std::move(note),
          HeatmapDrawing{std::move(cells), scale, std::move(rows), std::move(cols),
                         showable(heatmap.value_name), places, heatmap.pooled, room.plain}};
}

PanelDrawing read(const report::Stem& stem, const Room& room) {
  const Cells cells = pool(stem.values.column, report::Mask::kNone, room.points);
  const bool weight = stem.scale == report::Scale::kWeight;
  return {
      "", pooled_note("stem", cells.rows_per_cell, 1),
      StemDrawing{column(cells), stem.scale,
                  side(stem.positions, stem.values.column.rows(), cells.rows_per_cell, room),
                  showable(stem.value_name), (stem.visible + cells.rows_per_cell - 1) / cells.rows_per_cell,
                  weight ? 0.0 : std::min(0.0, cells.least), weight ? 1.0 : std::max(0.0, cells.largest)}};
}

/// What each curve asks for, where all have something and no two the same; otherwise 1 … 9, a … z.
std::vector<std::string> marks(const std::vector<report::Curve>& curves) {
  std::vector<std::string> wanted;
  for (const report::Curve& curve : curves) {
    std::string mark = showable(curve.mark);
    if (display_columns(mark) != 1 || std::count(wanted.begin(), wanted.end(), mark) > 0) break;
    wanted.push_back(std::move(mark));
  }
  if (wanted.size() == curves.size()) return wanted;
  constexpr std::string_view kInTurn = "123456789abcdefghijklmnopqrstuvwxyz";
  wanted.clear();
  for (std::size_t i = 0; i < curves.size(); ++i) wanted.emplace_back(1, kInTurn[i % kInTurn.size()]);
  return wanted;
}

PanelDrawing read(const report::Curves& curves, const Room& room) {
  CurvesDrawing drawing{showable(curves.positions.name), showable(curves.value_name), {}, {}, {}, {}, 0.0};
  const Sampling sampled = sampling(curves.ceiling.values.column.rows(), room.points);
  const auto add = [&](const report::Curve& curve) {
    drawing.names.push_back(showable(curve.name));
    drawing.values.push_back(sample(curve.values, sampled.positions));
    for (const double value : drawing.values.back()) drawing.high = std::max(drawing.high, value);
  };
  add(curves.ceiling);
  for (const report::Curve& curve : curves.curves) add(curve);
  drawing.marks = marks(curves.curves);
  for (const Index k : sampled.positions) drawing.positions.push_back(k + 1);
  std::string note =
      sampled.step == 1 ? "" : fmt::format("a point at every {} positions, and at the last", sampled.step);
  return {"", std::move(note), std::move(drawing)};
}

PanelDrawing read(const report::Sign& sign, const Room&) {
  return {"", "", SignDrawing{showable(sign.text)}};
}

/// Second pass: one scale for all heatmaps, one axis for all stems.
void share_scales(Drawing& drawing, const report::Figure& figure) {
  Extent colors;
  Extent heights;
  const report::Scale* kind = nullptr;
  for (std::size_t i = 0; i < drawing.panels.size(); ++i) {
    if (const auto* heatmap = std::get_if<HeatmapDrawing>(&drawing.panels[i].content)) {
      colors.include(heatmap->cells);
      kind = &std::get<report::Heatmap>(figure.panels[i].content).scale;
    } else if (const auto* stem = std::get_if<StemDrawing>(&drawing.panels[i].content)) {
      heights.least = std::min(heights.least, stem->low);
      heights.largest = std::max(heights.largest, stem->high);
    }
  }
  if (kind != nullptr) drawing.common_scale = ColorScale(*kind, colors.least, colors.largest);
  for (PanelDrawing& panel : drawing.panels) {
    if (auto* heatmap = std::get_if<HeatmapDrawing>(&panel.content)) {
      heatmap->scale = *drawing.common_scale;
    } else if (auto* stem = std::get_if<StemDrawing>(&panel.content)) {
      stem->low = heights.least;
      stem->high = heights.largest;
    }
  }
}

bool has_masked(const PanelDrawing& panel) {
  if (const auto* heatmap = std::get_if<HeatmapDrawing>(&panel.content)) {
    return heatmap->cells.masked(0, heatmap->cells.values.cols() - 1);  // the upper right is first to be
  }
  const auto* stem = std::get_if<StemDrawing>(&panel.content);
  return stem != nullptr && stem->visible < stem->positions.size();
}

}  // namespace

std::size_t Side::widest_label() const {
  std::size_t widest = 0;
  for (const std::string& label : labels) widest = std::max(widest, display_columns(label));
  return widest;
}

std::string HeatmapDrawing::value_text(Index r, Index c) const { return fixed(cells.values(r, c), *places); }

std::size_t HeatmapDrawing::widest_value() const {
  std::size_t widest = 0;
  for (Index r = 0; r < rows.size(); ++r) {
    for (Index c = 0; c < cols.size(); ++c) {
      if (!cells.masked(r, c)) widest = std::max(widest, value_text(r, c).size());
    }
  }
  return widest;
}

std::string HeatmapDrawing::told(Index r, Index c) const {
  const bool several = cells.rows_per_cell > 1 || cells.cols_per_cell > 1;
  return fmt::format("{} {}, {} {}: {}", cells.rows_per_cell > 1 ? "rows" : "row",
                     rows.covers[static_cast<std::size_t>(r)], cells.cols_per_cell > 1 ? "columns" : "column",
                     cols.covers[static_cast<std::size_t>(c)],
                     cells.masked(r, c) ? "masked"
                     : several          ? fmt::format("{} is {}", which(pooled), exact(cells.values(r, c)))
                                        : exact(cells.values(r, c)));
}

double StemDrawing::height(double value) const {
  // In halves, since the difference of two huge numbers would overflow.
  const double span = high / 2.0 - low / 2.0;
  return span > 0.0 ? (value / 2.0 - low / 2.0) / span : 0.0;
}

std::string StemDrawing::value_text(double value) const {
  return scale == report::Scale::kWeight ? fixed(value, kWeightPlaces) : compact(value);
}

std::string StemDrawing::told(Index k) const {
  return fmt::format("{}: {}", positions.covers[static_cast<std::size_t>(k)],
                     exact(values[static_cast<std::size_t>(k)]));
}

std::string CurvesDrawing::told(std::size_t curve, std::size_t point) const {
  return fmt::format("{}, at {}: {}", names[curve], positions[point], exact(values[curve][point]));
}

const HeatmapDrawing* Drawing::first_heatmap() const {
  for (const PanelDrawing& panel : panels) {
    if (const auto* heatmap = std::get_if<HeatmapDrawing>(&panel.content)) return heatmap;
  }
  return nullptr;
}

Drawing prepare(const report::Figure& figure, const Room& room) {
  Drawing drawing{showable(figure.title), showable(figure.description), figure.columns, {}, {}, false};
  for (const report::Panel& panel : figure.panels) plan(panel);
  for (const report::Panel& panel : figure.panels) {
    drawing.panels.push_back(
        std::visit([&](const auto& content) { return read(content, room); }, panel.content));
    drawing.panels.back().title = showable(panel.title);
    drawing.masked = drawing.masked || has_masked(drawing.panels.back());
  }
  if (figure.one_scale) share_scales(drawing, figure);
  return drawing;
}

}  // namespace mha::render
