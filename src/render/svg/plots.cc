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
constexpr double kStemTop = 18.0;     ///< above the highest stem, for its value
constexpr double kCurvesTop = 8.0;    ///< above the highest point
constexpr double kPointInset = 12.0;  ///< keeps markers at the ends clear of the axis
// The legend of curves, one line each.
constexpr double kKeyTop = 12.0;
constexpr double kKeyLine = 22.0;

double tick_width(double low, double high) {
  return text_width(widest_number(round_ticks(low, high, kMostTicks)), kLabelSize);
}

/// The value axis: its numbers, a grid line at each, its name. `y_of` gives a value's place.
template <typename Place>
void draw_value_axis(SvgWriter& svg, const Box& plot, double low, double high, const std::string& name,
                     const Place& y_of) {
  for (const double tick : round_ticks(low, high, kMostTicks)) {
    const double y = y_of(tick);
    svg.line({plot.x, y}, {plot.right(), y}, kGrid);
    svg.text({plot.x - kLabelGap, y}, text::compact(tick), {.size = kLabelSize, .anchor = Anchor::kEnd});
  }
  svg.line({plot.x, plot.y}, {plot.x, plot.bottom()}, kRule);
  svg.text({plot.x - kLabelGap - tick_width(low, high) - kNameHeight / 2.0 - 2.0, plot.centre().y}, name,
           {.size = kNameSize, .color = kQuiet, .upwards = true});
}

void draw_position(SvgWriter& svg, const Box& plot, double x, const std::string& label) {
  svg.text({x, plot.bottom() + kLabelGap + kLabelHeight / 2.0}, label, {.size = kLabelSize});
}

void draw_position_name(SvgWriter& svg, const Box& plot, const std::string& name) {
  svg.text({plot.centre().x, plot.bottom() + kLabelGap + kLabelHeight + kNameHeight / 2.0 + 2.0}, name,
           {.size = kNameSize, .color = kQuiet});
}

Extents plot_extents(double width, double height, double low, double high, const std::string& position_name) {
  const double name_beyond = (text_width(position_name, kNameSize) - width) / 2.0;
  return {.left = std::max(kLabelGap + tick_width(low, high) + kNameHeight, name_beyond),
          .right = std::max(6.0, name_beyond),
          .bottom = kLabelGap + kLabelHeight + kNameHeight,
          .width = width,
          .height = height};
}

std::string circle(Point centre, double radius) {
  const std::string r = coordinate(radius);
  return fmt::format("M{0} {1}a{2} {2} 0 1 0 {3} 0a{2} {2} 0 1 0 -{3} 0z", coordinate(centre.x - radius),
                     coordinate(centre.y), r, coordinate(2.0 * radius));
}

/// A marker's outline around a point. Four shapes, so that two curves that coincide can both be seen.
std::string marker(std::size_t curve, Point at) {
  const auto polygon = [&](std::vector<Point> corners) {
    for (Point& corner : corners) corner = {at.x + corner.x, at.y + corner.y};
    return lines_through(corners) + "z";
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

/// Where a position, counted from 1, lies among those up to `last`.
double x_of_position(const Box& plot, double position, Index last) {
  const double fraction = last > 1 ? (position - 1.0) / static_cast<double>(last - 1) : 0.5;
  return plot.x + kPointInset + fraction * (plot.width - 2.0 * kPointInset);
}

}  // namespace

Extents StemDrawing::extents(double side) const {
  const double wanted = 36.0 * static_cast<double>(positions.size());
  return plot_extents(std::clamp(wanted, 90.0, side), std::min(180.0, side), low, high, positions.name);
}

void StemDrawing::draw(SvgWriter& svg, const Box& plot) const {
  const double step = plot.width / static_cast<double>(positions.size());
  const auto x_of = [&](std::size_t k) { return plot.x + step * (static_cast<double>(k) + 0.5); };
  const auto y_of = [&](double value) { return plot.bottom() - height(value) * (plot.height - kStemTop); };
  const double zero = y_of(0.0);

  if (visible < positions.size()) {
    const double from = plot.x + step * static_cast<double>(visible);
    svg.rectangle({from, plot.y, plot.right() - from, plot.height}, kMasked, " fill-opacity=\"0.6\"");
  }
  draw_value_axis(svg, plot, low, high, value_name, y_of);
  svg.line({plot.x, zero}, {plot.right(), zero}, kRule);

  const double radius = std::clamp(step / 5.0, 1.0, 5.0);
  const bool with_values = text_width(widest(value_texts), kNoteSize) + 4.0 <= step;
  const auto shown = static_cast<std::size_t>(std::min(visible, positions.size()));
  for (std::size_t k = 0; k < shown; ++k) {
    const Point top{x_of(k), y_of(values[k])};
    svg.line({top.x, zero}, top, series_color(0), std::min(2.0, radius));
    svg.path(circle(top, radius), fmt::format("fill=\"{}\"", hex(series_color(0))), tooltip(k));
    if (with_values)
      svg.text({top.x, top.y + (values[k] < 0.0 ? 13.0 : -13.0)}, value_texts[k], {.size = kNoteSize});
  }

  const Index label_every = label_step(step, text_width(widest(positions.labels), kLabelSize) + 6.0);
  for (std::size_t k = 0; k < positions.labels.size(); k += static_cast<std::size_t>(label_every)) {
    draw_position(svg, plot, x_of(k), positions.labels[k]);
  }
  draw_position_name(svg, plot, positions.name);
}

Extents CurvesDrawing::extents(double side) const {
  const double legend = 2.0 * kKeyTop + kKeyLine * static_cast<double>(curves.size() - 1);
  Extents need = plot_extents(std::max(480.0, side), std::max(300.0, legend), 0.0, high, position_name);
  double widest = 0.0;
  for (const Curve& curve : curves) widest = std::max(widest, text_width(curve.name, kLabelSize));
  need.right = 24.0 + 40.0 + widest;
  return need;
}

void CurvesDrawing::draw(SvgWriter& svg, const Box& plot) const {
  const auto y_of = [&](double value) { return plot.bottom() - height(value) * (plot.height - kCurvesTop); };
  draw_value_axis(svg, plot, 0.0, high, value_name, y_of);
  svg.line({plot.x, plot.bottom()}, {plot.right(), plot.bottom()}, kRule);

  const Index last = positions.back();
  // Of many points only some have markers, each curve's at different positions, so that curves that coincide
  // can be seen.
  constexpr std::size_t kMarkersApart = 32;
  const std::size_t stride = positions.size() <= kMarkersApart ? 1 : positions.size() / 8;
  for (std::size_t i = 0; i < curves.size(); ++i) {  // the ceiling first: it lies under the others
    std::vector<Point> points;
    SvgWriter markers;
    for (std::size_t k = 0; k < positions.size(); ++k) {
      points.push_back(
          {x_of_position(plot, static_cast<double>(positions[k]), last), y_of(curves[i].values[k])});
      if (i > 0 && k % stride == i * stride / curves.size())
        markers.path(marker(i - 1, points.back()), "", tooltip(i, k));
    }
    const Point key{plot.right() + 24.0, plot.y + kKeyTop + kKeyLine * static_cast<double>(i)};
    const std::string style =
        i == 0 ? fmt::format("stroke=\"{}\" stroke-width=\"7\"", hex(kCeiling)) : curve_style(i - 1);
    svg.path(lines_through(points),
             fmt::format("fill=\"none\" stroke-linejoin=\"round\" stroke-linecap=\"round\" {}", style));
    svg.path(fmt::format("M{} {}h28", coordinate(key.x), coordinate(key.y)), style);
    if (i > 0) {
      const std::string hollow =
          fmt::format("fill=\"{}\" stroke=\"{}\" stroke-width=\"2\"", hex(kWhite), hex(series_color(i - 1)));
      svg.open(hollow);
      svg.add(markers);
      svg.close();
      svg.path(marker(i - 1, {key.x + 14.0, key.y}), hollow);
    }
    svg.text({key.x + 38.0, key.y}, curves[i].name, {.size = kLabelSize, .anchor = Anchor::kStart});
  }

  const double label = text_width(std::to_string(last), kLabelSize) + 20.0;
  const auto most = static_cast<std::size_t>(std::clamp(plot.width / label, 2.0, 12.0));
  std::vector<double> ticks = round_ticks(1.0, static_cast<double>(last), most);
  const double first_tick = x_of_position(plot, ticks.front(), last);
  if (first_tick - x_of_position(plot, 1.0, last) > label) ticks.insert(ticks.begin(), 1.0);
  for (const double tick : ticks) {
    if (tick != std::floor(tick)) continue;
    draw_position(svg, plot, x_of_position(plot, tick, last), text::compact(tick));
  }
  draw_position_name(svg, plot, position_name);
}

}  // namespace mha::render
