#include "render/svg/panels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "render/overloaded.h"
#include "render/svg/heatmap.h"
#include "render/svg/plots.h"
#include "render/svg/style.h"
#include "render/text/number.h"
#include "render/unicode.h"

namespace mha::render {
namespace {

constexpr double kTitleLine = 19.0;
constexpr double kNoteLine = 16.0;
constexpr double kBarGap = 14.0;       ///< from the plot to its bar
constexpr double kBarNameRoom = 24.0;  ///< right of the bar's numbers

std::vector<std::string> title_lines(const PanelDrawing& panel, double plot_width) {
  if (panel.title.empty()) return {};
  const double room = std::max(plot_width + 60.0, 200.0);
  return wrap(panel.title, static_cast<std::size_t>(room / text_width("n", kTitleSize)));
}

std::vector<double> bar_values(const ColorScale& scale) {
  if (scale.low() == scale.high()) return {scale.low()};
  return {scale.low(), scale.at(0.5), scale.high()};
}

}  // namespace

double bar_extent(const ColorScale& scale) {
  double widest = 0.0;
  for (const double value : bar_values(scale)) {
    widest = std::max(widest, text_width(compact(value), kLabelSize));
  }
  return kBarWidth + 6.0 + widest + kBarNameRoom;
}

void draw_bar(SvgPen& pen, const ColorScale& scale, const std::string& value_name, const Box& bar) {
  constexpr int kSteps = 64;
  pen.open("class=\"bar\" shape-rendering=\"crispEdges\"");
  for (int k = 0; k < kSteps; ++k) {
    const double top = std::round(bar.y + bar.height * k / kSteps);
    const double bottom = std::round(bar.y + bar.height * (k + 1) / kSteps);
    const double value = scale.at(1.0 - static_cast<double>(k) / (kSteps - 1));
    pen.rectangle({bar.x, top, bar.width, bottom - top}, scale.color(value));
  }
  pen.close();
  const std::vector<double> values = bar_values(scale);
  const TextStyle style{.size = kLabelSize, .anchor = Anchor::kStart};
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double up =
        values.size() == 1 ? 0.5 : static_cast<double>(k) / static_cast<double>(values.size() - 1);
    pen.text({bar.right() + 6.0, bar.bottom() - up * bar.height}, compact(values[k]), style);
  }
  pen.text({bar.x + bar_extent(scale) - 0.5 * kNameSize, bar.centre().y}, value_name,
           {.size = kNameSize, .color = kQuiet, .upwards = true});
}

Extents extents(const PanelDrawing& panel, double side, bool bar) {
  Extents room = std::visit(Overloaded{
                                [&](const HeatmapDrawing& heatmap) { return heatmap_extents(heatmap, side); },
                                [&](const StemDrawing& stem) { return stem_extents(stem, side); },
                                [&](const CurvesDrawing& curves) { return curves_extents(curves, side); },
                                [&](const SignDrawing&) { return Extents{.width = 26.0, .height = 26.0}; },
                            },
                            panel.content);
  if (const auto* heatmap = std::get_if<HeatmapDrawing>(&panel.content); heatmap != nullptr && bar) {
    room.right += kBarGap + bar_extent(heatmap->scale);
  }
  const std::vector<std::string> lines = title_lines(panel, room.width);
  for (const std::string& line : lines) {
    const double beyond = (text_width(line, kTitleSize) - room.width) / 2.0;
    room.left = std::max(room.left, beyond);
    room.right = std::max(room.right, beyond);
  }
  room.top +=
      kTitleGap + kTitleLine * static_cast<double>(lines.size()) + (panel.note.empty() ? 0.0 : kNoteLine);
  const double beyond = (text_width(panel.note, kNoteSize) - room.width) / 2.0;
  room.left = std::max(room.left, beyond);
  room.right = std::max(room.right, beyond);
  return room;
}

void draw(SvgPen& pen, const PanelDrawing& panel, const Box& plot, bool bar) {
  const double middle = plot.centre().x;
  double bottom = plot.y - kTitleGap;
  if (!panel.note.empty()) {
    pen.text({middle, bottom - kNoteLine / 2.0}, panel.note, {.size = kNoteSize, .color = kQuiet});
    bottom -= kNoteLine;
  }
  const std::vector<std::string> lines = title_lines(panel, plot.width);
  for (auto line = lines.rbegin(); line != lines.rend(); ++line, bottom -= kTitleLine) {
    pen.text({middle, bottom - kTitleLine / 2.0}, *line, {.size = kTitleSize, .bold = true});
  }
  std::visit(Overloaded{
                 [&](const HeatmapDrawing& heatmap) {
                   draw_heatmap(pen, heatmap, plot);
                   if (!bar) return;
                   draw_bar(pen, heatmap.scale, heatmap.value_name,
                            {plot.right() + kBarGap, plot.y, kBarWidth, plot.height});
                 },
                 [&](const StemDrawing& stem) { draw_stem(pen, stem, plot); },
                 [&](const CurvesDrawing& curves) { draw_curves(pen, curves, plot); },
                 [&](const SignDrawing& sign) { pen.text(plot.centre(), sign.text, {.size = 28.0}); },
             },
             panel.content);
}

}  // namespace mha::render
