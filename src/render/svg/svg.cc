#include "render/svg/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "render/drawing.h"
#include "render/markup.h"
#include "render/svg/heatmap.h"
#include "render/svg/svg_writer.h"
#include "text/unicode.h"

namespace mha::render {
namespace {

constexpr double kMargin = 24.0;
constexpr double kColumnGap = 26.0;
constexpr double kRowGap = 26.0;
constexpr double kFigureTitle = 18.0;
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
    masked = masked && heatmap->mask.visible(0, heatmap->values.cols()) < heatmap->values.cols();
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

/// The layout: each column and row of the grid is as large as its largest panel, so that plots are aligned.
class Grid {
 public:
  Grid(const Drawing& drawing, double top) : columns_(drawing.columns) {
    const double side = columns_ <= 2 ? 280.0 : 240.0;
    const std::size_t rows = (drawing.panels.size() + columns_ - 1) / columns_;
    across_.resize(std::min(columns_, drawing.panels.size()));
    down_.resize(rows);
    for (std::size_t i = 0; i < drawing.panels.size(); ++i) {
      const Extents need = extents(drawing.panels[i], side);
      Track& column = across_[i % columns_];
      Track& row = down_[i / columns_];
      column.include(need.left, need.width, need.right);
      row.include(need.top, need.height, need.bottom);
      needs_.push_back(need);
    }
    right_ = place(across_, kMargin, kColumnGap);
    bottom_ = place(down_, top, kRowGap);
  }

  [[nodiscard]] double right() const { return right_; }
  [[nodiscard]] double bottom() const { return bottom_; }
  [[nodiscard]] double top_plot() const { return down_.front().at; }
  [[nodiscard]] double bottom_plot() const { return down_.back().at + down_.back().plot; }

  /// Centred in its column; as high as its row unless its height is fixed.
  [[nodiscard]] Box plot(std::size_t i) const {
    const Track& column = across_[i % columns_];
    const Track& row = down_[i / columns_];
    const Extents& need = needs_[i];
    const double x = column.at + std::floor((column.plot - need.width) / 2.0);
    return {x, row.at, need.width, need.fixed ? need.height : row.plot};
  }

 private:
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

  static double place(std::vector<Track>& tracks, double at, double gap) {
    for (Track& track : tracks) {
      track.at = std::ceil(at + track.before);
      at = track.at + track.plot + track.after + gap;
    }
    return at - gap;
  }

  std::size_t columns_;
  std::vector<Track> across_;
  std::vector<Track> down_;
  std::vector<Extents> needs_;
  double right_ = 0.0;
  double bottom_ = 0.0;
};

void draw_mask_legend(SvgWriter& svg, double x, double y) {
  svg.rectangle({x, y - 7.0, 14.0, 14.0}, kMasked);
  svg.text({x + 22.0, y}, kMaskedMeaning, {.size = kNoteSize, .anchor = Anchor::kStart, .color = kQuiet});
}

/// A figure wider than this, such as all heads of a model, is unreadable when shrunk to a page.
constexpr double kWidestShrunk = 2200.0;

/// A drawn figure: its size, and what is on it.
struct Sheet {
  std::string title;
  std::string description;
  std::string width;
  std::string height;
  std::string drawn;
  bool large;  ///< not to be shrunk to a page

  [[nodiscard]] std::string size() const {
    return fmt::format(R"(xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}")",
                       width, height);
  }
};

Sheet sheet_of(const report::Figure& figure) {
  const Drawing drawing = prepare(figure, limits_for(figure));
  constexpr double kLine = 24.0;
  // The grid's width decides how many lines the title takes, and those decide where the grid begins.
  const double bar = drawing.common_bar ? kColumnGap + bar_extent(*drawing.common_bar) : 0.0;
  const double width = Grid(drawing, 0.0).right() + bar;
  const double title_columns = std::max(20.0, (width - kMargin) / text_width("n", kFigureTitle));
  const std::vector<std::string> title = text::wrap(drawing.title, static_cast<std::size_t>(title_columns));
  const Grid grid(drawing, kMargin + kLine * static_cast<double>(title.size()) + 14.0);

  SvgWriter svg;
  for (std::size_t i = 0; i < title.size(); ++i) {
    svg.text({kMargin, kMargin + kLine * (static_cast<double>(i) + 0.5)}, title[i],
             {.size = kFigureTitle, .anchor = Anchor::kStart, .bold = true});
  }
  for (std::size_t i = 0; i < drawing.panels.size(); ++i) {
    draw(svg, drawing.panels[i], grid.plot(i));
  }
  if (drawing.common_bar) {
    const double height = std::min(240.0, grid.bottom_plot() - grid.top_plot());
    const double top = std::round((grid.top_plot() + grid.bottom_plot() - height) / 2.0);
    draw_bar(svg, *drawing.common_bar,
             {std::ceil(grid.right() + kColumnGap), top, kBarWidth, std::round(height)});
  }
  double bottom = grid.bottom();
  if (drawing.masked) {
    bottom += kLegendHeight;
    draw_mask_legend(svg, kMargin, bottom - 6.0);
  }

  const double legend = drawing.masked ? 22.0 + text_width(kMaskedMeaning, kNoteSize) : 0.0;
  double widest = std::max(width, kMargin + legend);
  for (const std::string& line : title) widest = std::max(widest, kMargin + text_width(line, kFigureTitle));
  return {escaped(drawing.title),
          escaped(drawing.description),
          coordinate(std::ceil(widest + kMargin)),
          coordinate(std::ceil(bottom + kMargin)),
          svg.drawn(),
          widest > kWidestShrunk};
}

}  // namespace

Extents SignDrawing::extents(double /*side*/) const { return {.width = 26.0, .height = 26.0}; }

void SignDrawing::draw(SvgWriter& svg, const Box& plot) const {
  svg.text(plot.centre(), sign, {.size = 28.0});
}

std::string svg(const report::Figure& figure) {
  const Sheet sheet = sheet_of(figure);
  const std::string id = escaped(text::showable(figure.name));
  return fmt::format(
      R"(<svg {0} role="img" aria-labelledby="{1}-title {1}-desc" font-family="Helvetica, Arial, sans-serif">
<title id="{1}-title">{2}</title>
<desc id="{1}-desc">{3}</desc>
<rect width="{4}" height="{5}" fill="{6}"/>
{7}</svg>
)",
      sheet.size(), id, sheet.title, sheet.description, sheet.width, sheet.height, hex(kWhite), sheet.drawn);
}

std::string svg_in_page(const report::Figure& figure, const std::string& id,
                        const std::string& described_by) {
  const Sheet sheet = sheet_of(figure);
  return fmt::format(R"(<svg {} role="img" aria-labelledby="{}-title" aria-describedby="{}"{}>
<title id="{}-title">{}</title>
{}</svg>
)",
                     sheet.size(), id, described_by, sheet.large ? " class=\"large\"" : "", id, sheet.title,
                     sheet.drawn);
}

}  // namespace mha::render
