#include "tests/support/figures.h"

#include <expat.h>

#include <cstdlib>
#include <limits>
#include <memory>
#include <stdexcept>

#include "commands/commands.h"

namespace mha::test {
namespace {

struct Reading {
  std::vector<Element> elements;
  std::vector<std::size_t> open;
};

void begin(void* user, const XML_Char* name, const XML_Char** attributes) {
  auto& reading = *static_cast<Reading*>(user);
  Element element{name, "", {}, ""};
  if (!reading.open.empty()) element.within = reading.elements[reading.open.back()].attribute("class");
  for (; *attributes != nullptr; attributes += 2)
    element.attributes.emplace_back(attributes[0], attributes[1]);
  reading.open.push_back(reading.elements.size());
  reading.elements.push_back(std::move(element));
}

void end(void* user, const XML_Char*) { static_cast<Reading*>(user)->open.pop_back(); }

void characters(void* user, const XML_Char* text, int size) {
  auto& reading = *static_cast<Reading*>(user);
  reading.elements[reading.open.back()].text.append(text, static_cast<std::size_t>(size));
}

render::Rgb read_color(const std::string& hex) {
  const auto value = static_cast<std::uint32_t>(std::stoul(hex.substr(1), nullptr, 16));
  return {static_cast<std::uint8_t>(value >> 16), static_cast<std::uint8_t>(value >> 8 & 0xFFU),
          static_cast<std::uint8_t>(value & 0xFFU)};
}

}  // namespace

std::vector<report::Figure> every_figure(Index T, double gain) {
  commands::HeadOptions heads;
  heads.source = {.T = T, .gain = gain};
  commands::RankOptions ranks;
  ranks.heads = heads;
  std::vector<report::Figure> all;
  for (const report::Report& report :
       {commands::weights(heads), commands::entropy(heads), commands::rank(ranks),
        commands::concat({heads.source}), commands::filterbank({heads.source}),
        commands::filterbank({heads.source, commands::BankProjection::kAll}), commands::params({})}) {
    all.insert(all.end(), report.figures.begin(), report.figures.end());
  }
  return all;
}

report::Figure one_heatmap(const Matrix& values, report::Scale scale, const attention::Mask& mask) {
  const report::Axis queries{"query position t", report::numbered("t")};
  const report::Axis keys{"key position i", report::numbered("t")};
  report::Sees sees;
  if (mask.is_causal()) sees = [mask](Index t, Index i) { return mask.sees(t, i); };
  return {"figure", "A figure", "What there is to see.",
          1,        false,      {{"A panel", report::Heatmap{values, scale, sees, queries, keys, "value"}}}};
}

std::string Element::attribute(std::string_view wanted) const {
  for (const auto& [key, value] : attributes) {
    if (key == wanted) return value;
  }
  return "";
}

std::vector<Element> parse_xml(const std::string& document) {
  Reading reading;
  const std::unique_ptr<XML_ParserStruct, void (*)(XML_Parser)> parser(XML_ParserCreate("UTF-8"),
                                                                       XML_ParserFree);
  XML_SetUserData(parser.get(), &reading);
  XML_SetElementHandler(parser.get(), begin, end);
  XML_SetCharacterDataHandler(parser.get(), characters);
  if (XML_Parse(parser.get(), document.data(), static_cast<int>(document.size()), 1) != XML_STATUS_OK) {
    throw std::runtime_error("line " + std::to_string(XML_GetCurrentLineNumber(parser.get())) + ": " +
                             XML_ErrorString(XML_GetErrorCode(parser.get())));
  }
  return reading.elements;
}

std::vector<render::Rgb> fills(const std::vector<Element>& elements, std::string_view group) {
  std::vector<render::Rgb> colors;
  for (const Element& element : elements) {
    if (element.within == group) colors.push_back(read_color(element.attribute("fill")));
  }
  return colors;
}

std::vector<std::string> texts(const std::vector<Element>& elements) {
  std::vector<std::string> found;
  for (const Element& element : elements) {
    if (element.name == "text") found.push_back(element.text);
  }
  return found;
}

double invert(render::Rgb color, render::Rgb (*map)(double), double low, double high) {
  constexpr int kSteps = 20000;
  double nearest = low;
  int least = std::numeric_limits<int>::max();
  for (int k = 0; k <= kSteps; ++k) {
    const double argument = low + (high - low) * k / kSteps;
    const render::Rgb other = map(argument);
    const int distance = std::abs(color.red - other.red) + std::abs(color.green - other.green) +
                         std::abs(color.blue - other.blue);
    if (distance < least) {
      least = distance;
      nearest = argument;
    }
  }
  return nearest;
}

}  // namespace mha::test
