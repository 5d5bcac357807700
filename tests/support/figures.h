#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "attention/mask.h"
#include "render/colors.h"
#include "report/figure.h"

/// What the tests of figures share: figures made by hand, and the XML read back.
namespace mha::test {

/// Every figure of every command at that size.
std::vector<report::Figure> every_figure(Index T, double gain = 3.0);

/// A square heatmap figure of these values, labels t1, t2, …
report::Figure one_heatmap(const Matrix& values, report::Scale scale,
                           const attention::Mask& mask = attention::Mask::kNone);

/// An element of an XML document: its name, its attributes and, for one without elements inside, its text.
struct Element {
  std::string name;
  std::string within;  ///< the class of the element around it
  std::vector<std::pair<std::string, std::string>> attributes;
  std::string text;

  [[nodiscard]] std::string attribute(std::string_view wanted) const;
};

/// The elements of a document in the order of their beginnings. Strict: throws std::runtime_error for
/// anything that is not well-formed XML 1.0 in UTF-8.
std::vector<Element> parse_xml(const std::string& document);

/// The colours of the rectangles in groups of that class ("cells" or "bar") of an SVG figure, in order.
std::vector<render::Rgb> fills(const std::vector<Element>& elements, std::string_view group);

/// The texts of an SVG figure, in order.
std::vector<std::string> texts(const std::vector<Element>& elements);

/// The value whose colour on `map` (from `low` to `high` of its argument) is nearest.
double invert(render::Rgb color, render::Rgb (*map)(double), double low, double high);

}  // namespace mha::test
