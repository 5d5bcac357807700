#include "render/svg/plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "render/series_colors.h"
#include "render/svg/labels.h"
#include "render/svg/style.h"
#include "render/text/number.h"
#include "render/ticks.h"

namespace mha::render {
namespace {

constexpr std::size_t kMostTicks = 7;

double tick_width(double low, double high) {
  double widest = 0.0;
  for (const double tick : round_ticks(low, high, kMostTicks)) {
    widest = std::max(widest, text_width(compact(tick), kLabelSize));
  }
  return widest;
}

/// The value axis: its numbers, a line across the plot at each, its name. `up` is where a value lies,
/// in pixels above the bottom.
template <typename Up>
void draw_value_axis(SvgPen& pen, const Box& plot, double low, double high, const std::string& name,
                     const Up& up) {
  for (const double tick : round_ticks(low, high, kMostTicks)) {
    const double y = plot.bottom() - up(tick);
    pen.line({plot.x, y}, {plot.right(), y}, kGrid, 1.0);
    pen.text({plot.x - kLabelGap, y}, compact(tick), {.size = kLabelSize, .anchor = Anchor::kEnd});
  }
  pen.line({plot.x, plot.y}, {plot.x, plot.bottom()}, kRule, 1.0);
  pen.text({plot.x - kLabelGap - tick_width(low, high) - kNameHeight / 2.0 - 2.0, plot.centre().y}, name,
           {.size = kNameSize, .color = kQuiet, .upwards = true});
}

void draw_position_name(SvgPen& pen, const Box& plot, const std::string& name) {
  pen.text({plot.centre().x, plot.bottom() + kLabelGap + kLabelHeight + kNameHeight / 2.0 + 2.0}, name,
           {.size = kNameSize, .color = kQuiet});
}

Extents plot_extents(double width, double height, double low, double high, const std::string& position_name) {
  const double name_beyond = (text_width(position_name, kNameSize) - width) / 2.0;
  Extents room;
  room.width = width;
  room.height = height;
  room.left = std::max(kLabelGap + tick_width(low, high) + kNameHeight, name_beyond);
  room.right = std::max(6.0, name_beyond);
  room.bottom = kLabelGap + kLabelHeight + kNameHeight;
  return room;
}

std::string circle(Point centre, double radius) {
  const std::string r = coordinate(radius);
  return fmt::format("M{0} {1}a{2} {2} 0 1 0 {3} 0a{2} {2} 0 1 0 -{3} 0z", coordinate(centre.x - radius),
                     coordinate(centre.y), r, coordinate(2.0 * radius));
}

/// A marker's outline about a point: each of the first curves has its own, so that two that coincide
/// can both be seen.
std::string marker(std::size_t curve, Point at) {
  const auto polygon = [&](std::initializer_list<Point> corners) {
    std::string data;
    for (const Point& corner : corners) {
      data += fmt::format("{}{} {}", data.empty() ? "M" : "L", coordinate(at.x + corner.x),
                          coordinate(at.y + corner.y));
    }
    return data + "z";
  };
  switch (curve % 4) {
    case 0:
      return circle(at, 4.0);
    case 1:
      return polygon({{-5, -5}, {5, -5}, {5, 5}, {-5, 5}});
    case 2:
      return polygon({{0, -4.5}, {4, 3}, {-4, 3}});
    default:
      return polygon({{0, -5}, {5, 0}, {0, 5}, {-5, 0}});
  }
}

/// Each time that the colours begin again the line is broken in another way.
std::string curve_style(std::size_t curve) {
  constexpr std::array<std::string_view, 4> kDashes = {"", "6 4", "2 3", "12 4 2 4"};
  const std::string_view dashes = kDashes[curve / kSeriesColors.size() % kDashes.size()];
  return fmt::format("stroke=\"{}\" stroke-width=\"2\"{}", hex(series_color(curve)),
                     dashes.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", dashes));
}

/// The legend of curves: a line for each, below one another.
constexpr double kKeyTop = 12.0;
constexpr double kKeyLine = 22.0;

}  // namespace

Extents stem_extents(const StemDrawing& stem, double side) {
  const double wanted = 36.0 * static_cast<double>(stem.positions.size());
  return plot_extents(std::clamp(wanted, 90.0, side), std::min(180.0, side), stem.low, stem.high,
                      stem.positions.name);
}

void draw_stem(SvgPen& pen, const StemDrawing& stem, const Box& plot) {
  const Index count = stem.positions.size();
  const double step = plot.width / static_cast<double>(count);
  const auto x_of = [&](Index k) { return plot.x + step * (static_cast<double>(k) + 0.5); };
  // Room above the highest stem for its value.
  const auto up = [&](double value) { return stem.height(value) * (plot.height - 18.0); };
  const double zero = plot.bottom() - up(0.0);

  if (stem.visible < count) {
    const double from = plot.x + step * static_cast<double>(stem.visible);
    pen.rectangle({from, plot.y, plot.right() - from, plot.height}, kMasked, " fill-opacity=\"0.6\"");
  }
  draw_value_axis(pen, plot, stem.low, stem.high, stem.value_name, up);
  pen.line({plot.x, zero}, {plot.right(), zero}, kRule, 1.0);

  const double radius = std::clamp(step / 5.0, 1.0, 5.0);
  std::size_t widest = 0;
  for (const double value : stem.values) widest = std::max(widest, stem.value_text(value).size());
  const bool values = text_width(std::string(widest, '0'), kNoteSize) + 4.0 <= step;
  for (Index k = 0; k < std::min(stem.visible, count); ++k) {
    const double value = stem.values[static_cast<std::size_t>(k)];
    const double y = plot.bottom() - up(value);
    pen.line({x_of(k), zero}, {x_of(k), y}, series_color(0), std::min(2.0, radius));
    pen.path(circle({x_of(k), y}, radius), fmt::format("fill=\"{}\"", hex(series_color(0))), stem.told(k));
    if (values)
      pen.text({x_of(k), y + (value < 0.0 ? 13.0 : -13.0)}, stem.value_text(value), {.size = kNoteSize});
  }

  const Index label_every = label_step(step, label_width(stem.positions) + 6.0);
  for (Index k = 0; k < count; k += label_every) {
    pen.text({x_of(k), plot.bottom() + kLabelGap + kLabelHeight / 2.0},
             stem.positions.labels[static_cast<std::size_t>(k)], {.size = kLabelSize});
  }
  draw_position_name(pen, plot, stem.positions.name);
}

Extents curves_extents(const CurvesDrawing& curves, double side) {
  const double legend = 2.0 * kKeyTop + kKeyLine * static_cast<double>(curves.names.size() - 1);
  Extents room =
      plot_extents(std::max(480.0, side), std::max(300.0, legend), 0.0, curves.high, curves.position_name);
  double widest = 0.0;
  for (const std::string& name : curves.names) widest = std::max(widest, text_width(name, kLabelSize));
  room.right = 24.0 + 40.0 + widest;
  return room;
}

namespace {

/// Where the points of curves lie.
struct CurvesPlot {
  const CurvesDrawing& curves;
  const Box& plot;

  [[nodiscard]] Index last() const { return curves.positions.back(); }
  [[nodiscard]] double x(double position) const {
    constexpr double kInset = 12.0;  // markers at the ends stay clear of the axis
    const double fraction = last() > 1 ? (position - 1.0) / static_cast<double>(last() - 1) : 0.5;
    return plot.x + kInset + fraction * (plot.width - 2.0 * kInset);
  }
  [[nodiscard]] double up(double value) const { return curves.height(value) * (plot.height - 8.0); }
  [[nodiscard]] Point point(std::size_t curve, std::size_t k) const {
    return {x(static_cast<double>(curves.positions[k])), plot.bottom() - up(curves.values[curve][k])};
  }
};

/// The curves, the ceiling first and so under the others, each with its line of the legend.
void draw_lines(SvgPen& pen, const CurvesPlot& at) {
  const CurvesDrawing& curves = at.curves;
  // Of many points only some are marked, each curve's at other positions, so that curves that coincide
  // are seen to.
  constexpr std::size_t kMarkersApart = 32;
  const std::size_t count = curves.positions.size();
  const std::size_t stride = count <= kMarkersApart ? 1 : count / 8;
  for (std::size_t i = 0; i < curves.names.size(); ++i) {
    std::string line;
    SvgPen points;
    for (std::size_t k = 0; k < count; ++k) {
      const Point point = at.point(i, k);
      line += fmt::format("{}{} {}", k == 0 ? "M" : "L", coordinate(point.x), coordinate(point.y));
      if (i > 0 && k % stride == i * stride / curves.names.size())
        points.path(marker(i - 1, point), "", curves.told(i, k));
    }
    const Point key{at.plot.right() + 24.0, at.plot.y + kKeyTop + kKeyLine * static_cast<double>(i)};
    const std::string key_line = fmt::format("M{} {}h28", coordinate(key.x), coordinate(key.y));
    const std::string style =
        i == 0 ? fmt::format("stroke=\"{}\" stroke-width=\"7\"", hex(kCeiling)) : curve_style(i - 1);
    pen.path(line, fmt::format("fill=\"none\" stroke-linejoin=\"round\" stroke-linecap=\"round\" {}", style));
    pen.path(key_line, style);
    if (i > 0) {
      const std::string hollow =
          fmt::format("fill=\"{}\" stroke=\"{}\" stroke-width=\"2\"", hex(kWhite), hex(series_color(i - 1)));
      pen.open(hollow);
      pen.add(points);
      pen.close();
      pen.path(marker(i - 1, {key.x + 14.0, key.y}), hollow);
    }
    pen.text({key.x + 38.0, key.y}, curves.names[i], {.size = kLabelSize, .anchor = Anchor::kStart});
  }
}

void draw_positions(SvgPen& pen, const CurvesPlot& at) {
  const double room = text_width(std::to_string(at.last()), kLabelSize) + 20.0;
  const auto most = static_cast<std::size_t>(std::clamp(at.plot.width / room, 2.0, 12.0));
  std::vector<double> ticks = round_ticks(1.0, static_cast<double>(at.last()), most);
  if (at.x(ticks.front()) - at.x(1.0) > room) ticks.insert(ticks.begin(), 1.0);
  for (const double tick : ticks) {
    if (tick != std::floor(tick)) continue;
    pen.text({at.x(tick), at.plot.bottom() + kLabelGap + kLabelHeight / 2.0}, compact(tick),
             {.size = kLabelSize});
  }
}

}  // namespace

void draw_curves(SvgPen& pen, const CurvesDrawing& curves, const Box& plot) {
  const CurvesPlot at{curves, plot};
  draw_value_axis(pen, plot, 0.0, curves.high, curves.value_name, [&](double value) { return at.up(value); });
  pen.line({plot.x, plot.bottom()}, {plot.right(), plot.bottom()}, kRule, 1.0);
  draw_lines(pen, at);
  draw_positions(pen, at);
  draw_position_name(pen, plot, curves.position_name);
}

}  // namespace mha::render
