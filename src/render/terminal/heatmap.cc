#include "render/terminal/heatmap.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "render/ticks.h"

namespace mha::render {
namespace {

constexpr std::size_t kBareCell = 2;  ///< two columns are about as wide as a line is high

std::string repeated(std::string_view glyph, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += glyph;
  return text;
}

std::string_view shade(double strength) {
  constexpr std::array<std::string_view, 5> kShades = {" ", "░", "▒", "▓", "█"};
  // Upwards, so that little is told from nothing, and nothing is what rounds to 0.00. The slack keeps
  // values that differ by rounding only in one shade.
  constexpr double kNothing = 0.005;
  constexpr double kSlack = 1e-9;
  return strength < kNothing - kSlack ? kShades[0]
                                      : kShades[static_cast<std::size_t>(std::ceil(strength * 4.0 - kSlack))];
}

/// Columns per cell, with values where there is room for them, and for every label where nothing has to fit
/// beside the panel.
std::size_t cell_columns(const HeatmapDrawing& heatmap, std::size_t room, bool alone) {
  if (!heatmap.places) return kBareCell;
  const std::size_t wanted = heatmap.widest_value() + 2;
  const std::size_t labelled = std::max(wanted, heatmap.cols.widest_label() + 1);
  if (alone && labelled * static_cast<std::size_t>(heatmap.cols.size()) <= room) return labelled;
  return wanted * static_cast<std::size_t>(heatmap.cols.size()) <= room ? wanted : kBareCell;
}

/// Labels under the cells' middles, as many as do not touch.
TextLine column_labels(const Side& cols, std::size_t cell, std::size_t indent, std::size_t room,
                       const std::vector<std::size_t>& starts) {
  const Index step = label_step(static_cast<double>(cell), static_cast<double>(cols.widest_label()) + 1.0);
  std::vector<Label> labels;
  for (Index c = 0; c < cols.size(); c += step) {
    const auto k = static_cast<std::size_t>(c);
    labels.push_back({indent + starts[k] + cell / 2, cols.labels[k]});
  }
  return labels_at(labels, room);
}

}  // namespace

TextLine cell_text(const ColorScale& scale, double number, const std::string& value, std::size_t columns,
                   Colors colors) {
  const std::size_t before = (columns - value.size() + (value.empty() ? 0 : 1)) / 2;
  const std::size_t after = columns - value.size() - before;
  if (colors != Colors::kNone) {
    const Rgb ground = colors == Colors::k256 ? scale.color_of_256(number) : scale.color(number);
    return {fmt::format("{:{}}{}{:{}}", "", before, value, "", after),
            {.ink = ink_on(ground), .ground = ground}};
  }
  const std::string_view glyph = shade(scale.strength(number));
  if (value.empty() && number < 0.0 && glyph != " ") {
    TextLine line("-");
    line.add(repeated(glyph, columns - 1));
    return line;
  }
  return {fmt::format("{}{}{}", repeated(glyph, before), value, repeated(glyph, after))};
}

TextBlock heatmap_text(const HeatmapDrawing& heatmap, std::size_t columns, Colors colors, bool alone) {
  const std::size_t indent = heatmap.rows.widest_label() + 1;
  const std::size_t room = columns - std::min(columns, indent);
  const std::size_t cell = cell_columns(heatmap, room, alone);
  const auto count = static_cast<std::size_t>(heatmap.cols.size());
  const auto gaps = static_cast<std::size_t>(heatmap.cols.slices_before(heatmap.cols.size() - 1));
  const bool apart = cell * count + gaps <= room;
  std::vector<std::size_t> starts;
  for (Index c = 0; c < heatmap.cols.size(); ++c) {
    starts.push_back(cell * static_cast<std::size_t>(c) +
                     (apart ? static_cast<std::size_t>(heatmap.cols.slices_before(c)) : 0));
  }

  TextBlock lines = wrapped("↓ " + heatmap.rows.name, columns);
  for (Index r = 0; r < heatmap.rows.size(); ++r) {
    if (r > 0 && heatmap.rows.slices_before(r) > heatmap.rows.slices_before(r - 1)) lines.emplace_back();
    TextLine line(heatmap.rows.labels[static_cast<std::size_t>(r)]);
    for (Index c = 0; c < heatmap.cols.size(); ++c) {
      line.pad_to(indent + starts[static_cast<std::size_t>(c)]);
      if (heatmap.cells.masked(r, c)) {
        line.add(fmt::format("{:>{}}{:{}}", kMaskedGlyph, cell / 2 + 1, "", cell - cell / 2 - 1));
      } else {
        const std::string value = cell > kBareCell ? heatmap.value_text(r, c) : "";
        line.add(cell_text(heatmap.scale, heatmap.cells.values(r, c), value, cell, colors));
      }
    }
    lines.push_back(std::move(line));
  }
  lines.push_back(column_labels(heatmap.cols, cell, indent, columns, starts));
  for (TextLine& line : wrapped("→ " + heatmap.cols.name, columns)) lines.push_back(std::move(line));
  return lines;
}

}  // namespace mha::render
