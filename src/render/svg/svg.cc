#include "render/svg/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "render/drawing.h"
#include "render/markup.h"
#include "render/svg/svg_writer.h"
#include "text/unicode.h"

namespace mha::render {
namespace {

constexpr double kMargin = 24.0;
constexpr double kColumnGap = 26.0;
constexpr double kRowGap = 26.0;
constexpr double kFigureTitle = 18.0;
constexpr double kFigureTitleLine = 24.0;
constexpr double kLegendHeight = 26.0;
constexpr double kTitleLine = 19.0;
constexpr double kNoteLine = 16.0;

/// At 150 bytes for a cell and its tooltip this is 0.9 MB.
constexpr double kCellsOfFigure = 5600.0;
/// With more heatmaps, cells are only colours: at 60 bytes each, masked ones free, 144 heads can still be
/// known by their patterns.
constexpr std::ptrdiff_t kMostWithTooltips = 16;
constexpr double kColorsOfFigure = 13000.0;

Limits limits_for(const report::Figure& figure) {
  std::ptrdiff_t heatmaps = 0;
  bool masked = true;  // every heatmap, and so half of its cells
  for (const report::Panel& panel : figure.panels) {
    const auto* heatmap = std::get_if<report::Heatmap>(&panel.content);
    if (heatmap == nullptr) continue;
    ++heatmaps;
    masked = masked && heatmap->sees && !heatmap->sees(0, heatmap->values.cols() - 1);
  }
  const bool colors_only = heatmaps > kMostWithTooltips;
  const double cells = !colors_only ? kCellsOfFigure : masked ? 2.0 * kColorsOfFigure : kColorsOfFigure;
  const double side =
      std::floor(std::sqrt(cells / static_cast<double>(std::max<std::ptrdiff_t>(1, heatmaps))));
  return {.cells = static_cast<Index>(std::clamp(side, 1.0, 64.0)),
          .points = 256,
          .label_columns = 18,
          .colors_only = colors_only};
}

std::vector<std::string> title_lines(const PanelDrawing& panel, double plot_width) {
  if (panel.title.empty()) return {};
  const double width = std::max(plot_width + 60.0, 200.0);
  return text::wrap(panel.title, static_cast<std::size_t>(width / text_width("n", kTitleSize)));
}

/// The space for a panel whose plot should be about `side` pixels wide and high.
Extents extents(const PanelDrawing& panel, double side) {
  Extents need = std::visit([&](const auto& content) { return content.extents(side); }, panel.content);
  const auto widen = [&](const std::string& text, double size) {
    const double beyond = (text_width(text, size) - need.width) / 2.0;
    need.left = std::max(need.left, beyond);
    need.right = std::max(need.right, beyond);
  };
  const std::vector<std::string> lines = title_lines(panel, need.width);
  for (const std::string& line : lines) widen(line, kTitleSize);
  widen(panel.note, kNoteSize);
  need.top +=
      kTitleGap + kTitleLine * static_cast<double>(lines.size()) + (panel.note.empty() ? 0.0 : kNoteLine);
  return need;
}

/// Draws the panel with its plot in `plot`: as wide as extents() asks for, and at least as high.
void draw(SvgWriter& svg, const PanelDrawing& panel, const Box& plot) {
  const double middle = plot.centre().x;
  double bottom = plot.y - kTitleGap;
  if (!panel.note.empty()) {
    svg.text({middle, bottom - kNoteLine / 2.0}, panel.note, {.size = kNoteSize, .color = kQuiet});
    bottom -= kNoteLine;
  }
  const std::vector<std::string> lines = title_lines(panel, plot.width);
  for (auto line = lines.rbegin(); line != lines.rend(); ++line, bottom -= kTitleLine) {
    svg.text({middle, bottom - kTitleLine / 2.0}, *line, {.size = kTitleSize, .bold = true});
  }
  std::visit([&](const auto& content) { content.draw(svg, plot); }, panel.content);
}

/// A column or a row of the grid, as large as its largest panel, so that plots are aligned.
struct Track {
  double before = 0.0;
  double plot = 0.0;
  double after = 0.0;
  double at = 0.0;  ///< where the plots begin

  void include(double before_plot, double plot_extent, double after_plot) {
    before = std::max(before, before_plot);
    plot = std::max(plot, plot_extent);
    after = std::max(after, after_plot);
  }
};

/// Places tracks one after the other, the first at `at`; returns where the last ends.
double place(std::vector<Track>& tracks, double at, double gap) {
  for (Track& track : tracks) {
    track.at = std::ceil(at + track.before);
    at = track.at + track.plot + track.after + gap;
  }
  return at - gap;
}

struct Grid {
  explicit Grid(const Drawing& drawing) : across(std::min(drawing.columns, drawing.panels.size())) {
    const double side = drawing.columns <= 2 ? 280.0 : 240.0;
    for (const PanelDrawing& panel : drawing.panels) {
      const Extents need = extents(panel, side);
      across[needs.size() % across.size()].include(need.left, need.width, need.right);
      if (needs.size() % across.size() == 0) down.emplace_back();
      down.back().include(need.top, need.height, need.bottom);
      needs.push_back(need);
    }
  }

  /// Centred in its column; as high as its row unless its height is fixed.
  [[nodiscard]] Box plot(std::size_t i) const {
    const Track& column = across[i % across.size()];
    const Track& row = down[i / across.size()];
    const double x = column.at + std::floor((column.plot - needs[i].width) / 2.0);
    return {x, row.at, needs[i].width, needs[i].fixed ? needs[i].height : row.plot};
  }

  std::vector<Track> across;
  std::vector<Track> down;
  std::vector<Extents> needs;  ///< of the panels
};

/// A figure wider than this, such as all heads of a model, is unreadable when shrunk to a page.
constexpr double kWidestShrunk = 2224.0;

/// A drawn figure: its size, and what is on it.
struct Sheet {
  std::string title;
  std::string description;
  double width;
  double height;
  std::string drawn;

  [[nodiscard]] std::string size() const {
    return fmt::format(R"(xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}")",
                       coordinate(width), coordinate(height));
  }
};

Sheet sheet_of(const report::Figure& figure) {
  const Drawing drawing = prepare(figure, limits_for(figure));
  Grid grid(drawing);
  const double right = place(grid.across, kMargin, kColumnGap);
  const double width = right + (drawing.common_bar ? kColumnGap + drawing.common_bar->extent() : 0.0);

  // The grid's width decides how many lines the title takes, and those decide where the grid begins.
  const double title_columns = std::max(20.0, (width - kMargin) / text_width("n", kFigureTitle));
  double widest = width;
  double y = kMargin;
  SvgWriter svg;
  for (const std::string& line : text::wrap(drawing.title, static_cast<std::size_t>(title_columns))) {
    svg.text({kMargin, y + kFigureTitleLine / 2.0}, line,
             {.size = kFigureTitle, .anchor = Anchor::kStart, .bold = true});
    widest = std::max(widest, kMargin + text_width(line, kFigureTitle));
    y += kFigureTitleLine;
  }
  double bottom = place(grid.down, y + 14.0, kRowGap);
  for (std::size_t i = 0; i < drawing.panels.size(); ++i) draw(svg, drawing.panels[i], grid.plot(i));
  if (drawing.common_bar) {
    const double first = grid.down.front().at;
    const double last = grid.down.back().at + grid.down.back().plot;
    const double height = std::min(240.0, last - first);
    drawing.common_bar->draw(svg, {std::ceil(right + kColumnGap), std::round((first + last - height) / 2.0),
                                   kBarWidth, std::round(height)});
  }
  if (drawing.masked_meaning != nullptr) {
    bottom += kLegendHeight;
    const double middle = bottom - 6.0;
    svg.rectangle({kMargin, middle - 7.0, 14.0, 14.0}, kMasked);
    svg.text({kMargin + 22.0, middle}, drawing.masked_meaning,
             {.size = kNoteSize, .anchor = Anchor::kStart, .color = kQuiet});
    widest = std::max(widest, kMargin + 22.0 + text_width(drawing.masked_meaning, kNoteSize));
  }
  return {escaped(drawing.title), escaped(drawing.description), std::ceil(widest + kMargin),
          std::ceil(bottom + kMargin), svg.drawn()};
}

}  // namespace

Extents SignDrawing::extents(double /*side*/) const { return {.width = 26.0, .height = 26.0}; }

void SignDrawing::draw(SvgWriter& svg, const Box& plot) const {
  svg.text(plot.centre(), sign, {.size = 28.0});
}

std::string svg(const report::Figure& figure) {
  const Sheet sheet = sheet_of(figure);
  return fmt::format(
      R"(<svg {0} role="img" aria-labelledby="{1}-title {1}-desc" font-family="Helvetica, Arial, sans-serif">
<title id="{1}-title">{2}</title>
<desc id="{1}-desc">{3}</desc>
<rect width="{4}" height="{5}" fill="{6}"/>
{7}</svg>
)",
      sheet.size(), escaped(text::showable(figure.name)), sheet.title, sheet.description,
      coordinate(sheet.width), coordinate(sheet.height), hex(kWhite), sheet.drawn);
}

std::string svg_in_page(const report::Figure& figure, const std::string& id,
                        const std::string& described_by) {
  const Sheet sheet = sheet_of(figure);
  return fmt::format(R"(<svg {0} role="img" aria-labelledby="{1}-title" aria-describedby="{2}"{3}>
<title id="{1}-title">{4}</title>
{5}</svg>
)",
                     sheet.size(), id, described_by, sheet.width > kWidestShrunk ? " class=\"large\"" : "",
                     sheet.title, sheet.drawn);
}

}  // namespace mha::render
