#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "render/drawing.h"
#include "render/terminal/styled_text.h"
#include "text/number.h"

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
  // Rounded up, so that a small value differs from none, which is what prints as 0.00. With the slack, values
  // that differ only by rounding have one shade.
  constexpr double kNothing = 0.005;
  constexpr double kSlack = 1e-9;
  return strength < kNothing - kSlack ? kShades[0]
                                      : kShades[static_cast<std::size_t>(std::ceil(strength * 4.0 - kSlack))];
}

/// Columns per cell: enough for the values if all fit, and for every label if the panel stands alone.
std::size_t cell_columns(const HeatmapDrawing& heatmap, std::size_t columns, bool alone) {
  if (!heatmap.places) return kBareCell;
  const auto fits = [&](std::size_t cell) {
    return cell * static_cast<std::size_t>(heatmap.cols.size()) <= columns;
  };
  const std::size_t wanted = heatmap.widest_value() + 2;
  const std::size_t labelled = std::max(wanted, widest(heatmap.cols.labels) + 1);
  if (alone && fits(labelled)) return labelled;
  return fits(wanted) ? wanted : kBareCell;
}

/// A cell of that many columns with `value`, which may be empty, in its middle. Without colours it is shaded
/// by how far from 0 its number is, with a minus if it is negative and has no value.
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

}  // namespace

TextBlock ColorBar::text(const TextSpace& space) const {
  const auto& [columns, colors, alone] = space;
  TextLine line(text::compact(scale.low) + " ");
  if (scale.low == scale.high) {
    line.add(cell_text(scale, scale.low, "", 2, colors));
  } else {
    const std::string high = " " + text::compact(scale.high);
    const std::size_t left = columns - std::min(columns, line.columns() + high.size());
    // Without colours, one sample per shade and sign.
    const std::size_t shades = scale.low < 0.0 && scale.high > 0.0 ? 9 : 5;
    const std::size_t samples = std::clamp<std::size_t>(left / 2, 2, colors == Colors::kNone ? shades : 16);
    for (std::size_t k = 0; k < samples; ++k) {
      const double value = scale.at(static_cast<double>(k) / static_cast<double>(samples - 1));
      line.add(cell_text(scale, value, "", 2, colors));
    }
    line.add(high);
  }
  TextBlock block = wrapped(value_name + ":", columns);
  if (block.size() == 1 && block.front().columns() + 1 + line.columns() <= columns) {
    block.front().add(" ");
    block.front().add(line);
  } else {
    block.push_back(std::move(line));
  }
  return block;
}

TextBlock HeatmapDrawing::text(const TextSpace& space) const {
  const auto [columns, colors, alone] = space;
  const std::size_t indent = widest(rows.labels) + 1;
  const std::size_t cell = cell_columns(*this, columns - std::min(columns, indent), alone);
  const auto count = static_cast<std::size_t>(cols.size());
  const auto gaps = static_cast<std::size_t>(cols.slices_before(cols.size() - 1));
  const bool apart = indent + cell * count + gaps <= columns;
  std::vector<std::size_t> starts;  // of the columns of cells
  for (Index c = 0; c < cols.size(); ++c) {
    starts.push_back(indent + cell * starts.size() +
                     (apart ? static_cast<std::size_t>(cols.slices_before(c)) : 0));
  }

  TextBlock lines = wrapped("↓ " + rows.name, columns);
  for (Index r = 0; r < rows.size(); ++r) {
    if (r > 0 && rows.slices_before(r) > rows.slices_before(r - 1)) lines.emplace_back();
    TextLine line(rows.labels[static_cast<std::size_t>(r)]);
    for (Index c = 0; c < cols.size(); ++c) {
      line.pad_to(starts[static_cast<std::size_t>(c)]);
      if (cells.masked(r, c)) {
        line.add(fmt::format("{:>{}}{:{}}", kMaskedGlyph, cell / 2 + 1, "", cell - cell / 2 - 1));
      } else {
        const std::string value = cell > kBareCell ? value_text(r, c) : "";
        line.add(cell_text(bar.scale, cells.values(r, c), value, cell, colors));
      }
    }
    lines.push_back(std::move(line));
  }
  lines.push_back(axis_labels(cols, cell, starts, columns));
  append(lines, wrapped("→ " + cols.name, columns));
  if (own_bar) append(lines, bar.text({caption_columns(lines, columns), colors, alone}));
  return lines;
}

}  // namespace mha::render
