#include "render/terminal/panels.h"

#include <fmt/format.h>

#include <algorithm>

#include "render/overloaded.h"
#include "render/terminal/heatmap.h"
#include "render/terminal/plots.h"
#include "render/text/number.h"

namespace mha::render {
namespace {

/// A title may be a little wider than the panel under it.
constexpr std::size_t kNarrowestTitle = 24;

void append(TextBlock& block, TextBlock more) {
  for (TextLine& line : more) block.push_back(std::move(line));
}

}  // namespace

std::size_t PanelText::columns() const { return std::max(widest(head), widest(body)); }

TextBlock bar_text(const ColorScale& scale, const std::string& value_name, std::size_t columns,
                   Colors colors) {
  TextLine bar(fmt::format("{} ", compact(scale.low())));
  if (scale.low() == scale.high()) {
    bar.add(cell_text(scale, scale.low(), "", 2, colors));
  } else {
    const std::string high = fmt::format(" {}", compact(scale.high()));
    const std::size_t room = columns - std::min(columns, bar.columns() + high.size());
    // Without colours a sample for each shade and sign.
    const std::size_t shades = scale.low() < 0.0 && scale.high() > 0.0 ? 9 : 5;
    const std::size_t samples = std::clamp<std::size_t>(room / 2, 2, colors == Colors::kNone ? shades : 16);
    for (std::size_t k = 0; k < samples; ++k) {
      const double value = scale.at(static_cast<double>(k) / static_cast<double>(samples - 1));
      bar.add(cell_text(scale, value, "", 2, colors));
    }
    bar.add(high);
  }
  TextBlock block = wrapped(value_name + ":", columns);
  if (block.size() == 1 && block.front().columns() + 1 + bar.columns() <= columns) {
    block.front().add(" ");
    block.front().add(bar);
  } else {
    block.push_back(std::move(bar));
  }
  return block;
}

PanelText panel_text(const PanelDrawing& panel, std::size_t columns, Colors colors, bool bar, bool alone) {
  PanelText text;
  std::visit(Overloaded{
                 [&](const HeatmapDrawing& heatmap) {
                   text.body = heatmap_text(heatmap, columns, colors, alone);
                   if (!bar) return;
                   const std::size_t room = std::min(columns, std::max(widest(text.body), kNarrowestTitle));
                   append(text.body, bar_text(heatmap.scale, heatmap.value_name, room, colors));
                 },
                 [&](const StemDrawing& stem) { text.body = stem_text(stem, columns); },
                 [&](const CurvesDrawing& curves) { text.body = curves_text(curves, columns); },
                 [&](const SignDrawing& sign) { text.body = wrapped(sign.text, columns, {.bold = true}); },
             },
             panel.content);
  const std::size_t room = std::min(columns, std::max(widest(text.body), kNarrowestTitle));
  text.head = wrapped(panel.title, room, {.bold = true});
  append(text.head, wrapped(panel.note, room));
  return text;
}

}  // namespace mha::render
