#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "render/drawing.h"
#include "render/svg/svg_writer.h"
#include "render/ticks.h"
#include "text/number.h"

namespace mha::render {
namespace {

constexpr std::size_t kMostTicks = 7;

double tick_width(double low, double high) {
  double widest = 0.0;
  for (const double tick : round_ticks(low, high, kMostTicks)) {
    widest = std::max(widest, text_width(text::compact(tick), kLabelSize));
  }
  return widest;
}

/// The value axis: its numbers, a grid line at each, its name. `up` gives a value's height above the bottom
/// in pixels.
template <typename Up>
void draw_value_axis(SvgWriter& svg, const Box& plot, double low, double high, const std::string& name,
                     const Up& up) {
  for (const double tick : round_ticks(low, high, kMostTicks)) {
    const double y = plot.bottom() - up(tick);
    svg.line({plot.x, y}, {plot.right(), y}, kGrid, 1.0);
    svg.text({plot.x - kLabelGap, y}, text::compact(tick), {.size = kLabelSize, .anchor = Anchor::kEnd});
  }
  svg.line({plot.x, plot.y}, {plot.x, plot.bottom()}, kRule, 1.0);
  svg.text({plot.x - kLabelGap - tick_width(low, high) - kNameHeight / 2.0 - 2.0, plot.centre().y}, name,
           {.size = kNameSize, .color = kQuiet, .upwards = true});
}

void draw_position_name(SvgWriter& svg, const Box& plot, const std::string& name) {
  svg.text({plot.centre().x, plot.bottom() + kLabelGap + kLabelHeight + kNameHeight / 2.0 + 2.0}, name,
           {.size = kNameSize, .color = kQuiet});
}

Extents plot_extents(double width, double height, double low, double high, const std::string& position_name) {
  const double name_beyond = (text_width(position_name, kNameSize) - width) / 2.0;
  Extents need;
  need.width = width;
  need.height = height;
  need.left = std::max(kLabelGap + tick_width(low, high) + kNameHeight, name_beyond);
  need.right = std::max(6.0, name_beyond);
  need.bottom = kLabelGap + kLabelHeight + kNameHeight;
  return need;
}

std::string circle(Point centre, double radius) {
  const std::string r = coordinate(radius);
  return fmt::format("M{0} {1}a{2} {2} 0 1 0 {3} 0a{2} {2} 0 1 0 -{3} 0z", coordinate(centre.x - radius),
                     coordinate(centre.y), r, coordinate(2.0 * radius));
}

/// A marker's outline around a point. Four shapes, so that two curves that coincide can both be seen.
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

/// Each time the colours repeat, the dashes change.
std::string curve_style(std::size_t curve) {
  constexpr std::array<std::string_view, 4> kDashes = {"", "6 4", "2 3", "12 4 2 4"};
  const std::string_view dashes = kDashes[curve / kSeriesColors.size() % kDashes.size()];
  return fmt::format("stroke=\"{}\" stroke-width=\"2\"{}", hex(series_color(curve)),
                     dashes.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", dashes));
}

/// The legend of curves, one line each.
constexpr double kKeyTop = 12.0;
constexpr double kKeyLine = 22.0;

}  // namespace

Extents StemDrawing::extents(double side) const {
  const double wanted = 36.0 * static_cast<double>(positions.size());
  return plot_extents(std::clamp(wanted, 90.0, side), std::min(180.0, side), low, high, positions.name);
}

void StemDrawing::draw(SvgWriter& svg, const Box& plot) const {
  const Index count = positions.size();
  const double step = plot.width / static_cast<double>(count);
  const auto x_of = [&](Index k) { return plot.x + step * (static_cast<double>(k) + 0.5); };
  // Space above the highest stem for its value.
  const auto up = [&](double value) { return height(value) * (plot.height - 18.0); };
  const double zero = plot.bottom() - up(0.0);

  if (visible < count) {
    const double from = plot.x + step * static_cast<double>(visible);
    svg.rectangle({from, plot.y, plot.right() - from, plot.height}, kMasked, " fill-opacity=\"0.6\"");
  }
  draw_value_axis(svg, plot, low, high, value_name, up);
  svg.line({plot.x, zero}, {plot.right(), zero}, kRule, 1.0);

  const double radius = std::clamp(step / 5.0, 1.0, 5.0);
  const bool with_values = text_width(std::string(widest_value(), '0'), kNoteSize) + 4.0 <= step;
  for (Index k = 0; k < std::min(visible, count); ++k) {
    const double value = values[static_cast<std::size_t>(k)];
    const double y = plot.bottom() - up(value);
    svg.line({x_of(k), zero}, {x_of(k), y}, series_color(0), std::min(2.0, radius));
    svg.path(circle({x_of(k), y}, radius), fmt::format("fill=\"{}\"", hex(series_color(0))), tooltip(k));
    if (with_values)
      svg.text({x_of(k), y + (value < 0.0 ? 13.0 : -13.0)}, value_text(value), {.size = kNoteSize});
  }

  const Index label_every = label_step(step, label_width(positions) + 6.0);
  for (Index k = 0; k < count; k += label_every) {
    svg.text({x_of(k), plot.bottom() + kLabelGap + kLabelHeight / 2.0},
             positions.labels[static_cast<std::size_t>(k)], {.size = kLabelSize});
  }
  draw_position_name(svg, plot, positions.name);
}

Extents CurvesDrawing::extents(double side) const {
  const double legend = 2.0 * kKeyTop + kKeyLine * static_cast<double>(names.size() - 1);
  Extents need = plot_extents(std::max(480.0, side), std::max(300.0, legend), 0.0, high, position_name);
  double widest = 0.0;
  for (const std::string& name : names) widest = std::max(widest, text_width(name, kLabelSize));
  need.right = 24.0 + 40.0 + widest;
  return need;
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

/// The curves and their legend; the ceiling comes first and so lies under the others.
void draw_lines(SvgWriter& svg, const CurvesPlot& at) {
  const CurvesDrawing& curves = at.curves;
  // Of many points only some have markers, each curve's at different positions, so that curves that coincide
  // can be seen.
  constexpr std::size_t kMarkersApart = 32;
  const std::size_t count = curves.positions.size();
  const std::size_t stride = count <= kMarkersApart ? 1 : count / 8;
  for (std::size_t i = 0; i < curves.names.size(); ++i) {
    std::string line;
    SvgWriter points;
    for (std::size_t k = 0; k < count; ++k) {
      const Point point = at.point(i, k);
      line += fmt::format("{}{} {}", k == 0 ? "M" : "L", coordinate(point.x), coordinate(point.y));
      if (i > 0 && k % stride == i * stride / curves.names.size())
        points.path(marker(i - 1, point), "", curves.tooltip(i, k));
    }
    const Point key{at.plot.right() + 24.0, at.plot.y + kKeyTop + kKeyLine * static_cast<double>(i)};
    const std::string key_line = fmt::format("M{} {}h28", coordinate(key.x), coordinate(key.y));
    const std::string style =
        i == 0 ? fmt::format("stroke=\"{}\" stroke-width=\"7\"", hex(kCeiling)) : curve_style(i - 1);
    svg.path(line, fmt::format("fill=\"none\" stroke-linejoin=\"round\" stroke-linecap=\"round\" {}", style));
    svg.path(key_line, style);
    if (i > 0) {
      const std::string hollow =
          fmt::format("fill=\"{}\" stroke=\"{}\" stroke-width=\"2\"", hex(kWhite), hex(series_color(i - 1)));
      svg.open(hollow);
      svg.add(points);
      svg.close();
      svg.path(marker(i - 1, {key.x + 14.0, key.y}), hollow);
    }
    svg.text({key.x + 38.0, key.y}, curves.names[i], {.size = kLabelSize, .anchor = Anchor::kStart});
  }
}

void draw_positions(SvgWriter& svg, const CurvesPlot& at) {
  const double label = text_width(std::to_string(at.last()), kLabelSize) + 20.0;
  const auto most = static_cast<std::size_t>(std::clamp(at.plot.width / label, 2.0, 12.0));
  std::vector<double> ticks = round_ticks(1.0, static_cast<double>(at.last()), most);
  if (at.x(ticks.front()) - at.x(1.0) > label) ticks.insert(ticks.begin(), 1.0);
  for (const double tick : ticks) {
    if (tick != std::floor(tick)) continue;
    svg.text({at.x(tick), at.plot.bottom() + kLabelGap + kLabelHeight / 2.0}, text::compact(tick),
             {.size = kLabelSize});
  }
}

}  // namespace

void CurvesDrawing::draw(SvgWriter& svg, const Box& plot) const {
  const CurvesPlot at{*this, plot};
  draw_value_axis(svg, plot, 0.0, high, value_name, [&](double value) { return at.up(value); });
  svg.line({plot.x, plot.bottom()}, {plot.right(), plot.bottom()}, kRule, 1.0);
  draw_lines(svg, at);
  draw_positions(svg, at);
  draw_position_name(svg, plot, position_name);
}

}  // namespace mha::render
