#include "render/terminal/terminal.h"

#include <algorithm>
#include <ostream>

#include "render/drawing.h"
#include "render/terminal/styled_text.h"
#include "text/unicode.h"

namespace mha::render {
namespace {

constexpr std::size_t kNarrowest = 20;
constexpr std::size_t kGap = 2;  ///< between panels side by side
constexpr std::size_t kLabelColumns = 8;
constexpr Index kMostCells = 40;  ///< along a side: more lines are hard to see as one picture

/// Columns for the row labels of heatmaps. Needed before pooling, when it is not known yet which of many rows
/// will have a label.
std::size_t row_label_columns(const report::Figure& figure) {
  constexpr Index kFew = 64;
  std::size_t widest = 1;
  for (const report::Panel& panel : figure.panels) {
    const auto* heatmap = std::get_if<report::Heatmap>(&panel.content);
    if (heatmap == nullptr) continue;
    const Index rows = heatmap->values.rows();
    if (rows > kFew) return kLabelColumns;
    for (Index k = 0; k < rows; ++k) {
      widest = std::max(widest, text::display_columns(text::showable(heatmap->rows.label(k))));
    }
  }
  return std::min(widest, kLabelColumns);
}

/// A panel's heading, its title and note, and its body. Bodies side by side begin on the same line.
struct PanelText {
  TextBlock heading;
  TextBlock body;

  [[nodiscard]] std::size_t columns() const { return std::max(widest(heading), widest(body)); }
};

PanelText panel_text(const PanelDrawing& panel, const TextSpace& space) {
  PanelText text;
  text.body = std::visit([&](const auto& content) { return content.text(space); }, panel.content);
  const std::size_t columns = caption_columns(text.body, space.columns);
  text.heading = wrapped(panel.title, columns, {.bold = true});
  append(text.heading, wrapped(panel.note, columns));
  return text;
}

/// Panels side by side, each as wide as its column of the grid.
TextBlock beside(const std::vector<PanelText>& row, const std::vector<std::size_t>& widths) {
  std::size_t heading = 0;
  std::size_t body = 0;
  for (const PanelText& panel : row) {
    heading = std::max(heading, panel.heading.size());
    body = std::max(body, panel.body.size());
  }
  TextBlock lines(heading + body);
  std::size_t start = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    // Titles stand directly above their panels; a sign is vertically centred.
    const std::size_t first_title = heading - row[i].heading.size();
    const std::size_t first_body = heading + (row[i].body.size() == 1 ? body / 2 : 0);
    const auto put = [&](std::size_t y, const TextLine& line) {
      lines[y].pad_to(start);
      lines[y].add(line);
    };
    for (std::size_t k = 0; k < row[i].heading.size(); ++k) put(first_title + k, row[i].heading[k]);
    for (std::size_t k = 0; k < row[i].body.size(); ++k) put(first_body + k, row[i].body[k]);
    start += widths[i] + kGap;
  }
  return lines;
}

/// The width of each column of a grid.
std::vector<std::size_t> column_widths(const std::vector<PanelText>& panels, std::size_t columns) {
  std::vector<std::size_t> widths(columns, 0);
  for (std::size_t i = 0; i < panels.size(); ++i) {
    widths[i % columns] = std::max(widths[i % columns], panels[i].columns());
  }
  return widths;
}

/// How many panels go side by side: what the figure asks for if it fits, otherwise the most that divide
/// it evenly, so that what belongs together stays together.
std::size_t grid_columns(const std::vector<PanelText>& panels, std::size_t wanted,
                         std::size_t screen_columns) {
  for (std::size_t columns = wanted; columns > 1; --columns) {
    if (wanted % columns != 0) continue;
    std::size_t width = kGap * (columns - 1);
    for (const std::size_t part : column_widths(panels, columns)) width += part;
    if (width <= screen_columns) return columns;
  }
  return 1;
}

}  // namespace

TextBlock SignDrawing::text(const TextSpace& space) const {
  return wrapped(sign, space.columns, {.bold = true});
}

void terminal(const report::Figure& figure, const Screen& screen, std::ostream& out) {
  const std::size_t columns = std::max(screen.columns, kNarrowest);
  const auto write = [&](const TextBlock& block) {
    for (const TextLine& line : block) line.write(screen.colors, out);
  };
  const auto cells = static_cast<Index>((columns - row_label_columns(figure) - 1) / 2);
  const Drawing drawing = prepare(figure, {.cells = std::min(kMostCells, cells),
                                           .points = static_cast<Index>(columns - kLabelColumns),
                                           .label_columns = kLabelColumns});
  std::vector<PanelText> panels;
  for (const PanelDrawing& panel : drawing.panels) {
    panels.push_back(panel_text(panel, {columns, screen.colors, drawing.panels.size() == 1}));
  }
  const std::size_t across = grid_columns(panels, std::min(drawing.columns, panels.size()), columns);
  const std::vector<std::size_t> widths = column_widths(panels, across);

  out << '\n';
  write(wrapped(drawing.title, columns, {.bold = true}));
  for (std::size_t i = 0; i < panels.size(); i += across) {
    out << '\n';
    const auto first = panels.begin() + static_cast<std::ptrdiff_t>(i);
    const auto last = panels.begin() + static_cast<std::ptrdiff_t>(std::min(i + across, panels.size()));
    write(beside({first, last}, widths));
  }
  if (drawing.common_bar || drawing.masked_meaning != nullptr) out << '\n';
  if (drawing.common_bar) write(drawing.common_bar->text({columns, screen.colors, false}));
  if (drawing.masked_meaning != nullptr)
    write(wrapped(std::string(kMaskedGlyph) + " " + drawing.masked_meaning, columns));
  out << '\n';
}

}  // namespace mha::render
