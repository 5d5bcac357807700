#include "render/drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "text/number.h"
#include "text/unicode.h"

namespace mha::render {
namespace {

/// Beyond this many cells along a side no output has space for a number in each.
constexpr Index kMostWithValues = 32;

constexpr int kWeightPlaces = 2;

/// An axis of `count` positions, `per_cell` to a cell.
Axis labelled(const report::Axis& axis, Index count, Index per_cell, const Limits& limits) {
  const Index cells = (count + per_cell - 1) / per_cell;
  Axis made{text::showable(axis.name), {}, {}, per_cell == 1 && axis.slice < cells ? axis.slice : 0};
  const auto label = [&](Index k) { return text::cut(text::showable(axis.label(k)), limits.label_columns); };
  for (Index first = 0; first < count; first += per_cell) {
    const Index last = std::min(first + per_cell, count) - 1;
    made.labels.push_back(label(first));
    made.ranges.push_back(first == last ? made.labels.back() : made.labels.back() + "–" + label(last));
  }
  return made;
}

/// Decimals that tell the values of a panel apart: none for whole numbers, two or three digits otherwise.
std::optional<int> decimals(const Cells& cells, report::Scale scale) {
  if (cells.pooled() || std::max(cells.values.rows(), cells.values.cols()) > kMostWithValues)
    return std::nullopt;
  if (scale == report::Scale::kWeight) return kWeightPlaces;
  const double farthest = cells.values.cwiseAbs().maxCoeff();
  if (farthest >= 1e4) return std::nullopt;
  if ((cells.values.array() == cells.values.array().round()).all()) return 0;
  const int digits_before = static_cast<int>(std::floor(std::log10(farthest))) + 1;
  if (digits_before < -2) return std::nullopt;
  return std::max(0, digits_before > 0 ? 3 - digits_before : 2 - digits_before);
}

std::string pooled_note(const char* what, const Cells& cells, report::Pooled pooled) {
  if (!cells.pooled()) return "";
  std::string count = fmt::to_string(cells.rows_per_cell);
  if (cells.cols_per_cell > 1) count += fmt::format(" × {}", cells.cols_per_cell);
  // Short: a panel is as wide as its note.
  return fmt::format("each {} the {} of {}", what,
                     pooled == report::Pooled::kLeast ? "smallest" : "farthest from 0", count);
}

/// Announces the matrices that a panel reads whole. Curves are only sampled, which is fast.
void plan(const report::Panel& panel) {
  const auto whole = [](const report::LazyMatrix& matrix) { matrix.plan(matrix.rows()); };
  if (const auto* heatmap = std::get_if<report::Heatmap>(&panel.content)) whole(heatmap->values);
  if (const auto* stem = std::get_if<report::Stem>(&panel.content)) whole(stem->values.column);
}

PanelDrawing read(const report::Heatmap& heatmap, const Limits& limits) {
  Cells cells = pool(heatmap.values, heatmap.mask, limits.cells, heatmap.pooled);
  Axis rows = labelled(heatmap.rows, heatmap.values.rows(), cells.rows_per_cell, limits);
  Axis cols = labelled(heatmap.cols, heatmap.values.cols(), cells.cols_per_cell, limits);
  ColorBar bar{{heatmap.scale, cells.least, cells.largest}, text::showable(heatmap.value_name)};
  const std::optional<int> places = decimals(cells, heatmap.scale);
  std::string note = pooled_note("cell", cells, heatmap.pooled);
  return {"", std::move(note),
          HeatmapDrawing{std::move(cells), std::move(bar), std::move(rows), std::move(cols), places,
                         heatmap.pooled, limits.colors_only}};
}

PanelDrawing read(const report::Stem& stem, const Limits& limits) {
  const report::LazyMatrix& column = stem.values.column;
  const Cells cells = pool(column, report::Mask::kNone, limits.points);
  const double* const first = cells.values.data();
  const bool weight = stem.scale == report::Scale::kWeight;
  return {"", pooled_note("stem", cells, report::Pooled::kFarthest),
          StemDrawing{{first, first + cells.values.size()},
                      stem.scale,
                      labelled(stem.positions, column.rows(), cells.rows_per_cell, limits),
                      text::showable(stem.value_name),
                      (stem.visible + cells.rows_per_cell - 1) / cells.rows_per_cell,
                      weight ? 0.0 : std::min(0.0, cells.least),
                      weight ? 1.0 : std::max(0.0, cells.largest)}};
}

/// The marks that the curves ask for, if every curve has one of its own; otherwise 1 … 9, a … z.
std::vector<std::string> marks(const std::vector<report::Curve>& curves) {
  std::vector<std::string> wanted;
  for (const report::Curve& curve : curves) {
    std::string mark = text::showable(curve.mark);
    if (text::display_columns(mark) != 1 || std::count(wanted.begin(), wanted.end(), mark) > 0) break;
    wanted.push_back(std::move(mark));
  }
  if (wanted.size() == curves.size()) return wanted;
  constexpr std::string_view kInTurn = "123456789abcdefghijklmnopqrstuvwxyz";
  wanted.clear();
  for (std::size_t i = 0; i < curves.size(); ++i) wanted.emplace_back(1, kInTurn[i % kInTurn.size()]);
  return wanted;
}

PanelDrawing read(const report::Curves& curves, const Limits& limits) {
  CurvesDrawing drawing{
      text::showable(curves.positions.name), text::showable(curves.value_name), {}, {}, {}, {}, 0.0};
  const Sampling sampled = sampling(curves.ceiling.values.column.rows(), limits.points);
  const auto add = [&](const report::Curve& curve) {
    drawing.names.push_back(text::showable(curve.name));
    drawing.values.push_back(sample(curve.values, sampled.positions));
    for (const double value : drawing.values.back()) drawing.high = std::max(drawing.high, value);
  };
  add(curves.ceiling);
  for (const report::Curve& curve : curves.curves) add(curve);
  drawing.marks = marks(curves.curves);
  for (const Index k : sampled.positions) drawing.positions.push_back(k + 1);
  std::string note =
      sampled.step == 1 ? "" : fmt::format("one point every {} positions, plus the last", sampled.step);
  return {"", std::move(note), std::move(drawing)};
}

PanelDrawing read(const report::Sign& sign, const Limits&) {
  return {"", "", SignDrawing{text::showable(sign.text)}};
}

/// One scale for all heatmaps, one axis for all stems.
void share_scales(Drawing& drawing, const report::Figure& figure) {
  double least = 0.0;
  double largest = 0.0;
  double low = 0.0;
  double high = 0.0;
  for (std::size_t i = 0; i < drawing.panels.size(); ++i) {
    if (const auto* heatmap = std::get_if<HeatmapDrawing>(&drawing.panels[i].content)) {
      least = std::min(least, heatmap->cells.least);
      largest = std::max(largest, heatmap->cells.largest);
      const report::Scale kind = std::get<report::Heatmap>(figure.panels[i].content).scale;
      const auto& first = drawing.common_bar ? *drawing.common_bar : heatmap->bar;
      drawing.common_bar = ColorBar{{kind, least, largest}, first.value_name};
    } else if (const auto* stem = std::get_if<StemDrawing>(&drawing.panels[i].content)) {
      low = std::min(low, stem->low);
      high = std::max(high, stem->high);
    }
  }
  for (PanelDrawing& panel : drawing.panels) {
    if (auto* heatmap = std::get_if<HeatmapDrawing>(&panel.content)) {
      heatmap->bar = *drawing.common_bar;
      heatmap->own_bar = false;
    } else if (auto* stem = std::get_if<StemDrawing>(&panel.content)) {
      stem->low = low;
      stem->high = high;
    }
  }
}

bool has_masked(const PanelDrawing& panel) {
  if (const auto* heatmap = std::get_if<HeatmapDrawing>(&panel.content)) {
    return heatmap->cells.masked(0,
                                 heatmap->cells.values.cols() - 1);  // a mask always covers the upper right
  }
  const auto* stem = std::get_if<StemDrawing>(&panel.content);
  return stem != nullptr && stem->visible < stem->positions.size();
}

}  // namespace

std::size_t Axis::widest_label() const {
  std::size_t widest = 0;
  for (const std::string& label : labels) widest = std::max(widest, text::display_columns(label));
  return widest;
}

std::string HeatmapDrawing::value_text(Index r, Index c) const {
  return text::fixed(cells.values(r, c), *places);
}

std::size_t HeatmapDrawing::widest_value() const {
  std::size_t widest = 0;
  for (Index r = 0; r < rows.size(); ++r) {
    for (Index c = 0; c < cols.size(); ++c) {
      if (!cells.masked(r, c)) widest = std::max(widest, value_text(r, c).size());
    }
  }
  return widest;
}

std::string HeatmapDrawing::tooltip(Index r, Index c) const {
  std::string value = cells.masked(r, c) ? "masked" : text::exact(cells.values(r, c));
  if (cells.pooled() && !cells.masked(r, c)) {
    value = (pooled == report::Pooled::kLeast ? "smallest is " : "farthest from 0 is ") + value;
  }
  return fmt::format("{} {}, {} {}: {}", cells.rows_per_cell > 1 ? "rows" : "row",
                     rows.ranges[static_cast<std::size_t>(r)], cells.cols_per_cell > 1 ? "columns" : "column",
                     cols.ranges[static_cast<std::size_t>(c)], value);
}

double StemDrawing::height(double value) const {
  // In halves: the difference of two huge numbers would overflow.
  const double span = high / 2.0 - low / 2.0;
  return span > 0.0 ? (value / 2.0 - low / 2.0) / span : 0.0;
}

std::string StemDrawing::value_text(double value) const {
  return scale == report::Scale::kWeight ? text::fixed(value, kWeightPlaces) : text::compact(value);
}

std::size_t StemDrawing::widest_value() const {
  std::size_t widest = 0;
  for (const double value : values) widest = std::max(widest, value_text(value).size());
  return widest;
}

std::string StemDrawing::tooltip(Index k) const {
  const auto i = static_cast<std::size_t>(k);
  return fmt::format("{}: {}", positions.ranges[i], text::exact(values[i]));
}

std::string CurvesDrawing::tooltip(std::size_t curve, std::size_t point) const {
  return fmt::format("{}, at {}: {}", names[curve], positions[point], text::exact(values[curve][point]));
}

Drawing prepare(const report::Figure& figure, const Limits& limits) {
  Drawing drawing{
      text::showable(figure.title), text::showable(figure.description), figure.columns, {}, {}, false};
  for (const report::Panel& panel : figure.panels) plan(panel);
  for (const report::Panel& panel : figure.panels) {
    drawing.panels.push_back(
        std::visit([&](const auto& content) { return read(content, limits); }, panel.content));
    drawing.panels.back().title = text::showable(panel.title);
    drawing.masked = drawing.masked || has_masked(drawing.panels.back());
  }
  if (figure.one_scale) share_scales(drawing, figure);
  return drawing;
}

}  // namespace mha::render
