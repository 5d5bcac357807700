#include "render/svg/svg_writer.h"

#include <fmt/format.h>

#include <array>
#include <iterator>

#include "render/markup.h"
#include "text/number.h"
#include "text/unicode.h"

namespace mha::render {

double text_width(std::size_t columns, double size) { return 0.62 * size * static_cast<double>(columns); }

double text_width(std::string_view text, double size) {
  return text_width(text::display_columns(text), size);
}

std::string coordinate(double value) {
  std::string text = text::fixed(value, 2);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string lines_through(std::span<const Point> points) {
  std::string data;
  for (const Point& point : points) {
    data += fmt::format("{}{} {}", data.empty() ? "M" : "L", coordinate(point.x), coordinate(point.y));
  }
  return data;
}

void SvgWriter::end_element(std::string_view name, std::string_view tooltip) {
  if (tooltip.empty()) {
    out_ += "/>\n";
  } else {
    fmt::format_to(std::back_inserter(out_), "><title>{}</title></{}>\n", escaped(tooltip), name);
  }
}

void SvgWriter::rectangle(const Box& box, Rgb fill, std::string_view more, std::string_view tooltip) {
  fmt::format_to(std::back_inserter(out_), "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"{}",
                 coordinate(box.x), coordinate(box.y), coordinate(box.width), coordinate(box.height),
                 hex(fill), more);
  end_element("rect", tooltip);
}

void SvgWriter::line(Point from, Point to, Rgb color, double width) {
  path(lines_through(std::array{from, to}),
       fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"", hex(color), coordinate(width)));
}

void SvgWriter::path(std::string_view data, std::string_view attributes, std::string_view tooltip) {
  fmt::format_to(std::back_inserter(out_), "<path d=\"{}\"{}{}", data, attributes.empty() ? "" : " ",
                 attributes);
  end_element("path", tooltip);
}

void SvgWriter::text(Point at, std::string_view text, const TextStyle& style) {
  // The baseline goes a third of an em below the middle: not every renderer knows dominant-baseline.
  const double drop = 0.35 * style.size;
  const Point base = style.upwards ? Point{at.x + drop, at.y} : Point{at.x, at.y + drop};
  std::string attributes = fmt::format("x=\"{}\" y=\"{}\"", coordinate(base.x), coordinate(base.y));
  if (style.upwards) {
    attributes += fmt::format(" transform=\"rotate(-90 {} {})\"", coordinate(base.x), coordinate(base.y));
  }
  if (style.anchor != Anchor::kStart) {
    attributes += style.anchor == Anchor::kMiddle ? " text-anchor=\"middle\"" : " text-anchor=\"end\"";
  }
  if (style.bold) attributes += " font-weight=\"600\"";
  fmt::format_to(std::back_inserter(out_), "<text {} font-size=\"{}\" fill=\"{}\">{}</text>\n", attributes,
                 coordinate(style.size), hex(style.color), escaped(text));
}

void SvgWriter::open(std::string_view attributes) {
  fmt::format_to(std::back_inserter(out_), "<g {}>\n", attributes);
}

void SvgWriter::close() { out_ += "</g>\n"; }

}  // namespace mha::render
