#include "render/drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "text/number.h"
#include "text/unicode.h"

namespace mha::render {
namespace {

/// Beyond this many cells along a side no output has space for a number in each.
constexpr Index kMostWithValues = 32;

constexpr int kWeightPlaces = 2;

constexpr const char* kAfterQuery = "masked: a key after the query";

Index divide_up(Index n, Index by) { return (n + by - 1) / by; }

void expect_finite(double value, Index r, Index c) {
  if (std::isfinite(value)) return;
  throw std::runtime_error(
      fmt::format("cannot draw row {}, column {}: the value is not finite", r + 1, c + 1));
}

/// Reads the matrix once, a few rows at a time, into at most `most` × `most` cells.
Cells pool(const report::LazyMatrix& matrix, const report::Sees& sees, Index most, report::Pooled pooled) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const Index rows_per_cell = std::max<Index>(1, divide_up(matrix.rows(), most));
  const Index cols_per_cell = std::max<Index>(1, divide_up(matrix.cols(), most));
  Cells cells{{}, rows_per_cell, cols_per_cell, {}, matrix.rows(), matrix.cols(), kInfinity, -kInfinity};
  const bool least = cells.pooled() && pooled == report::Pooled::kLeast;
  const double none = least ? kInfinity : 0.0;
  cells.values.setConstant(divide_up(cells.rows, rows_per_cell), divide_up(cells.cols, cols_per_cell), none);
  cells.seen.assign(static_cast<std::size_t>(cells.values.size()), 0);
  matrix.for_each_row(cells.rows, [&](Index r, const auto& row) {
    double* cell = cells.values.row(r / rows_per_cell).data();
    char* seen = cells.seen.data() + r / rows_per_cell * cells.values.cols();
    for (Index first = 0; first < cells.cols; first += cols_per_cell, ++cell, ++seen) {
      for (Index c = first; c < std::min(first + cols_per_cell, cells.cols); ++c) {
        if (sees && !sees(r, c)) continue;
        *seen = 1;
        const double value = row[c];
        expect_finite(value, r, c);
        cells.least = std::min(cells.least, value);
        cells.largest = std::max(cells.largest, value);
        if (least ? value < *cell : std::abs(value) > std::abs(*cell)) *cell = value;
      }
    }
  });
  return cells;
}

/// An axis of `count` positions, `per_cell` to a cell.
Axis labelled(const report::Axis& axis, Index count, Index per_cell, const Limits& limits) {
  const Index cells = divide_up(count, per_cell);
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
  Cells cells = pool(heatmap.values, heatmap.sees, limits.cells, heatmap.pooled);
  Axis rows = labelled(heatmap.rows, cells.rows, cells.rows_per_cell, limits);
  Axis cols = labelled(heatmap.cols, cells.cols, cells.cols_per_cell, limits);
  ColorBar bar{{heatmap.scale, cells.least, cells.largest}, text::showable(heatmap.value_name)};
  const std::optional<int> places = decimals(cells, heatmap.scale);
  std::string note = pooled_note("cell", cells, heatmap.pooled);
  return {"", std::move(note),
          HeatmapDrawing{std::move(cells), std::move(bar), std::move(rows), std::move(cols), places,
                         heatmap.pooled, limits.colors_only}};
}

PanelDrawing read(const report::Stem& stem, const Limits& limits) {
  const Cells cells = pool(stem.values.column, nullptr, limits.points, report::Pooled::kFarthest);
  const bool weight = stem.scale == report::Scale::kWeight;
  StemDrawing drawing{{},
                      {},
                      labelled(stem.positions, cells.rows, cells.rows_per_cell, limits),
                      text::showable(stem.value_name),
                      divide_up(stem.visible, cells.rows_per_cell),
                      weight ? 0.0 : std::min(0.0, cells.least),
                      weight ? 1.0 : std::max(0.0, cells.largest)};
  for (const double value : cells.values.col(0)) {
    drawing.values.push_back(value);
    drawing.value_texts.push_back(weight ? text::fixed(value, kWeightPlaces) : text::compact(value));
  }
  return {"", pooled_note("stem", cells, report::Pooled::kFarthest), std::move(drawing)};
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

/// A curve is sampled, not pooled: the largest of several entries would not be the curve.
PanelDrawing read(const report::Curves& curves, const Limits& limits) {
  CurvesDrawing drawing{
      text::showable(curves.positions.name), text::showable(curves.value_name), {}, {}, 0.0};
  const Index last = curves.ceiling.values.column.rows() - 1;
  const Index step = std::max<Index>(1, divide_up(last, std::max<Index>(2, limits.points) - 1));
  for (Index k = 0; k < last; k += step) drawing.positions.push_back(k + 1);
  drawing.positions.push_back(last + 1);
  const auto add = [&](const report::Curve& curve, std::string mark) {
    std::vector<double> values;
    for (const Index position : drawing.positions) {
      const double value = curve.values.column.read(position - 1, 1)(0, 0);
      expect_finite(value, position - 1, 0);
      drawing.high = std::max(drawing.high, value);
      values.push_back(value);
    }
    drawing.curves.push_back({text::showable(curve.name), std::move(values), std::move(mark)});
  };
  add(curves.ceiling, "");
  const std::vector<std::string> mark = marks(curves.curves);
  for (std::size_t i = 0; i < mark.size(); ++i) add(curves.curves[i], mark[i]);
  std::string note = step == 1 ? "" : fmt::format("one point every {} positions, plus the last", step);
  return {"", std::move(note), std::move(drawing)};
}

PanelDrawing read(const report::Sign& sign, const Limits&) {
  return {"", "", SignDrawing{text::showable(sign.text)}};
}

template <typename Kind>
std::vector<Kind*> panels_of(Drawing& drawing) {
  std::vector<Kind*> panels;
  for (PanelDrawing& panel : drawing.panels) {
    if (auto* content = std::get_if<Kind>(&panel.content)) panels.push_back(content);
  }
  return panels;
}

/// One scale for all heatmaps, one axis for all stems.
void share_scales(Drawing& drawing) {
  double least = 0.0;
  double largest = 0.0;
  for (const HeatmapDrawing* heatmap : panels_of<HeatmapDrawing>(drawing)) {
    least = std::min(least, heatmap->cells.least);
    largest = std::max(largest, heatmap->cells.largest);
  }
  for (HeatmapDrawing* heatmap : panels_of<HeatmapDrawing>(drawing)) {
    heatmap->bar.scale = {heatmap->bar.scale.kind, least, largest};
    heatmap->own_bar = false;
    if (!drawing.common_bar) drawing.common_bar = heatmap->bar;
  }
  double low = 0.0;
  double high = 0.0;
  for (const StemDrawing* stem : panels_of<StemDrawing>(drawing)) {
    low = std::min(low, stem->low);
    high = std::max(high, stem->high);
  }
  for (StemDrawing* stem : panels_of<StemDrawing>(drawing)) {
    stem->low = low;
    stem->high = high;
  }
}

/// What the masked cells of a panel are; null where there is none.
const char* masked_meaning(const PanelDrawing& panel) {
  const char* meaning = nullptr;
  if (const auto* heatmap = std::get_if<HeatmapDrawing>(&panel.content)) {
    const Cells& cells = heatmap->cells;
    for (Index r = 0; r < cells.values.rows(); ++r) {
      for (Index c = 0; c < cells.values.cols(); ++c) {
        if (!cells.masked(r, c)) continue;
        if (c * cells.cols_per_cell <= r * cells.rows_per_cell)
          return "masked: a key that the query does not see";
        meaning = kAfterQuery;
      }
    }
  }
  const auto* stem = std::get_if<StemDrawing>(&panel.content);
  return stem != nullptr && stem->visible < stem->positions.size() ? kAfterQuery : meaning;
}

}  // namespace

std::size_t widest(const std::vector<std::string>& texts) {
  std::size_t columns = 0;
  for (const std::string& text : texts) columns = std::max(columns, text::display_columns(text));
  return columns;
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

std::string StemDrawing::tooltip(std::size_t k) const {
  return fmt::format("{}: {}", positions.ranges[k], text::exact(values[k]));
}

std::string CurvesDrawing::tooltip(std::size_t curve, std::size_t point) const {
  return fmt::format("{}, at {}: {}", curves[curve].name, positions[point],
                     text::exact(curves[curve].values[point]));
}

Drawing prepare(const report::Figure& figure, const Limits& limits) {
  Drawing drawing{
      text::showable(figure.title), text::showable(figure.description), figure.columns, {}, {}, nullptr};
  for (const report::Panel& panel : figure.panels) plan(panel);
  for (const report::Panel& panel : figure.panels) {
    drawing.panels.push_back(
        std::visit([&](const auto& content) { return read(content, limits); }, panel.content));
    drawing.panels.back().title = text::showable(panel.title);
    const char* const meaning = masked_meaning(drawing.panels.back());
    if (meaning != nullptr && drawing.masked_meaning != nullptr && meaning != kAfterQuery)
      drawing.masked_meaning = meaning;
    if (drawing.masked_meaning == nullptr) drawing.masked_meaning = meaning;
  }
  if (figure.one_scale) share_scales(drawing);
  return drawing;
}

}  // namespace mha::render
