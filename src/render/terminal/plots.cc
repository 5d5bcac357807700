#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "render/drawing.h"
#include "render/terminal/styled_text.h"
#include "render/ticks.h"
#include "text/number.h"

namespace mha::render {
namespace {

constexpr std::size_t kStemRows = 9;
constexpr std::size_t kCurveRows = 15;
constexpr std::size_t kWidestCurves = 72;
constexpr std::size_t kWidestStep = 5;  ///< columns from one stem to the next
constexpr const char* kSeveral = "*";   ///< where curves of few points meet
constexpr const char* kCeilingLine = "─";
constexpr std::size_t kFewPoints = 16;  ///< with more, curves that overlap alternate

/// The width of the value axis: its numbers, a blank and the line.
std::size_t axis_columns(const std::vector<double>& axis) { return widest_number(axis) + 2; }

/// Adds the canvas with the value axis at its left. `row_of` gives a value's row.
template <typename RowOf>
void add_plot(TextBlock& lines, const Canvas& canvas, const std::vector<double>& axis, const RowOf& row_of) {
  std::vector<std::string> numbers(canvas.rows());
  for (const double value : axis) numbers[row_of(value)] = text::compact(value);
  for (std::size_t y = 0; y < canvas.rows(); ++y) {
    TextLine line(fmt::format("{:>{}} {}", numbers[y], widest_number(axis), numbers[y].empty() ? "│" : "┤"));
    line.add(canvas.row(y));
    lines.push_back(std::move(line));
  }
}

}  // namespace

TextBlock StemDrawing::text(const TextSpace& space) const {
  const std::size_t columns = space.columns;
  const std::vector<double> axis = {low, high, 0.0};
  const std::size_t indent = axis_columns(axis);
  const std::size_t plot_columns = columns - std::min(columns - 1, indent);
  const std::size_t step = std::clamp<std::size_t>(plot_columns / values.size(), 1, kWidestStep);
  const bool with_values = widest(value_texts) < step;

  // The top row is for values only, as is a bottom row if stems reach down.
  Canvas canvas(step * values.size(), kStemRows + 1 + (low < 0.0 ? 1 : 0));
  const auto row_of = [&](double value) {
    return kStemRows - static_cast<std::size_t>(std::lround(height(value) * (kStemRows - 1)));
  };
  const std::size_t zero = row_of(0.0);
  const Look look{.ink = series_color(0)};
  std::vector<std::size_t> starts;
  for (std::size_t x = 0; x < canvas.columns(); ++x) canvas.put(x, zero, "─");
  for (std::size_t k = 0; k < values.size(); ++k) {
    starts.push_back(indent + k * step);
    const std::size_t x = k * step + step / 2;
    if (static_cast<Index>(k) >= visible) {
      canvas.put(x, zero, kMaskedGlyph);
      continue;
    }
    const std::size_t top = row_of(values[k]);
    for (std::size_t y = std::min(top, zero); y <= std::max(top, zero); ++y) canvas.put(x, y, "│", look);
    if (top != zero) canvas.put(x, zero, top < zero ? "┴" : "┬");
    canvas.put(x, top, "●", look);
    const std::string& value = value_texts[k];
    if (with_values) canvas.write(x - value.size() / 2, top > zero ? top + 1 : top - 1, value);
  }

  TextBlock lines = wrapped("↑ " + value_name, columns);
  add_plot(lines, canvas, axis, row_of);
  lines.push_back(axis_labels(positions, step, starts, columns));
  append(lines, wrapped("→ " + positions.name, columns));
  return lines;
}

namespace {

/// Curves, and the canvas they are drawn on.
struct CurvesCanvas {
  const CurvesDrawing& drawing;
  Canvas canvas;

  [[nodiscard]] std::size_t x(double position) const {
    const auto last = static_cast<double>(drawing.positions.back());
    const double fraction = last > 1.0 ? (position - 1.0) / (last - 1.0) : 0.0;
    return static_cast<std::size_t>(std::lround(fraction * static_cast<double>(canvas.columns() - 1)));
  }
  [[nodiscard]] std::size_t x_of_point(std::size_t k) const {
    return x(static_cast<double>(drawing.positions[k]));
  }
  [[nodiscard]] std::size_t y(double value) const {
    const std::size_t highest = canvas.rows() - 1;
    return highest -
           static_cast<std::size_t>(std::lround(drawing.height(value) * static_cast<double>(highest)));
  }
};

Look curve_look(std::size_t i) { return i == 0 ? Look{} : Look{.ink = series_color(i - 1)}; }

/// With many points most spots are shared, so the curves there, and the ceiling, alternate.
bool in_turn(const CurvesDrawing& drawing) { return drawing.positions.size() > kFewPoints; }

void put_marks(CurvesCanvas& on) {
  const CurvesDrawing& drawing = on.drawing;
  std::map<std::pair<std::size_t, std::size_t>, std::vector<std::size_t>> meeting;  // by column, row
  for (std::size_t i = in_turn(drawing) ? 0 : 1; i < drawing.curves.size(); ++i) {
    for (std::size_t k = 0; k < drawing.positions.size(); ++k) {
      std::vector<std::size_t>& there = meeting[{on.x_of_point(k), on.y(drawing.curves[i].values[k])}];
      if (there.empty() || there.back() != i) there.push_back(i);
    }
  }
  std::map<std::vector<std::size_t>, std::size_t> turns;
  for (const auto& [spot, there] : meeting) {
    const auto& [x, y] = spot;
    const std::size_t i = there[turns[there]++ % there.size()];
    if (there.size() > 1 && !in_turn(drawing)) {
      on.canvas.put(x, y, kSeveral);
    } else if (i == 0) {
      on.canvas.put(x, y, kCeilingLine);
    } else {
      on.canvas.put(x, y, drawing.curves[i].mark, {.ink = curve_look(i).ink, .bold = true});
    }
  }
}

/// Lines where nothing is drawn yet, the ceiling's last: a curve on the ceiling should stay visible.
void put_lines(CurvesCanvas& on) {
  const CurvesDrawing& drawing = on.drawing;
  for (std::size_t n = drawing.curves.size(); n > 0; --n) {
    const std::size_t i = n % drawing.curves.size();  // 1, 2, … and at the end 0, the ceiling
    const std::vector<double>& values = drawing.curves[i].values;
    for (std::size_t k = 0; k + 1 < values.size(); ++k) {
      const std::size_t from = on.x_of_point(k);
      const std::size_t to = on.x_of_point(k + 1);
      for (std::size_t x = from; x <= to && to > from; ++x) {
        const double part = static_cast<double>(x - from) / static_cast<double>(to - from);
        const std::size_t y = on.y(values[k] * (1.0 - part) + values[k + 1] * part);
        if (on.canvas.empty(x, y)) on.canvas.put(x, y, i == 0 ? kCeilingLine : "·", curve_look(i));
      }
    }
  }
}

TextLine position_labels(const CurvesCanvas& on, std::size_t indent, std::size_t columns) {
  const auto last = static_cast<double>(on.drawing.positions.back());
  std::vector<double> ticks = round_ticks(1.0, last, std::clamp<std::size_t>(on.canvas.columns() / 8, 2, 9));
  if (ticks.empty() || ticks.front() > 1.0) ticks.insert(ticks.begin(), 1.0);
  TextLine labels;
  for (const double tick : ticks) {
    if (tick == std::floor(tick)) add_label(labels, indent + on.x(tick), text::compact(tick), columns);
  }
  return labels;
}

/// The legend, one line or more per curve.
void add_keys(TextBlock& lines, const CurvesDrawing& drawing, std::size_t columns) {
  const auto add_key = [&](const std::string& sign, const std::string& name, const Look& sign_look) {
    TextBlock text = wrapped(name, columns - 2);
    for (std::size_t n = 0; n < text.size(); ++n) {
      TextLine line(n == 0 ? sign : " ", sign_look);
      line.pad_to(2);
      line.add(text[n]);
      lines.push_back(std::move(line));
    }
  };
  for (std::size_t i = 0; i < drawing.curves.size(); ++i) {
    add_key(i == 0 ? kCeilingLine : drawing.curves[i].mark, drawing.curves[i].name, curve_look(i));
  }
  if (in_turn(drawing)) {
    add_key(" ", "curves that overlap alternate", {});
  } else if (drawing.curves.size() > 2) {
    add_key(kSeveral, "where curves meet", {});
  }
}

}  // namespace

TextBlock CurvesDrawing::text(const TextSpace& space) const {
  const std::size_t columns = space.columns;
  const std::vector<double> axis = round_ticks(0.0, high, 5);
  const std::size_t indent = axis_columns(axis);
  const std::size_t width = std::min(kWidestCurves, columns - std::min(columns - 1, indent));
  CurvesCanvas on{*this, Canvas(width, kCurveRows)};
  put_marks(on);
  put_lines(on);

  TextBlock lines = wrapped("↑ " + value_name, columns);
  add_plot(lines, on.canvas, axis, [&](double value) { return on.y(value); });
  lines.push_back(position_labels(on, indent, columns));
  append(lines, wrapped("→ " + position_name, columns));
  add_keys(lines, *this, columns);
  return lines;
}

}  // namespace mha::render
