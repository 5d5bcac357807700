#include "render/svg/svg.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "commands/commands.h"
#include "tests/render/svg/expect_sound.h"
#include "tests/support/figures.h"

namespace mha::test {
namespace {

using render::svg;
using report::Scale;

TEST(Svg, IsSoundAndUnderAMegabyteAtAnySize) {
  for (const Index T : {1, 2, 3, 5, 8, 13, 33, 64, 65, 200}) {
    for (const report::Figure& figure : every_figure(T)) {
      SCOPED_TRACE(figure.name + " at T = " + std::to_string(T));
      const std::string document = svg(figure);
      expect_sound(document);
      EXPECT_LT(document.size(), 1000000U);
    }
  }
  commands::HeadOptions heads;
  heads.source.T = 1999;
  EXPECT_LT(svg(commands::weights(heads).figures.front()).size(), 1000000U);
}

TEST(Svg, IsSoundAtAnyGain) {
  for (const double gain : {0.0, 1e-300, -3.0, 1e6, 1e150}) {
    for (const report::Figure& figure : every_figure(6, gain)) {
      SCOPED_TRACE(figure.name + " at gain " + std::to_string(gain));
      expect_sound(svg(figure));
    }
  }
}

TEST(Svg, IsTheSameBytesOnEveryRun) {
  for (const report::Figure& figure : every_figure(6)) EXPECT_EQ(svg(figure), svg(figure));
}

TEST(Svg, HasEveryPanelOfAGrid) {
  commands::HeadOptions heads;
  heads.heads = {1, 2, 3, 4, 1, 2, 3, 4};
  const std::vector<Element> elements = parse_xml(svg(commands::weights(heads).figures.at(0)));
  EXPECT_EQ(fills(elements, "cells").size(), 8U * 36U);
  const std::vector<std::string> found = texts(elements);
  for (const char* title :
       {"Head 1 — first token", "Head 2 — previous token", "Head 3 — self", "Head 4 — uniform"}) {
    EXPECT_EQ(std::count(found.begin(), found.end(), title), 2) << title;
  }
  EXPECT_EQ(std::count(found.begin(), found.end(), "key position i"), 8);
  EXPECT_EQ(std::count(found.begin(), found.end(), "query position t"), 8);
}

TEST(Svg, ALegendOfManyCurvesIsWithinTheFigure) {
  commands::HeadOptions options;
  options.heads.clear();
  for (int k = 0; k < 40; ++k) options.heads.push_back(1 + k % 4);
  const std::string document = svg(commands::entropy(options).figures.at(0));
  expect_sound(document);
  const std::vector<std::string> found = texts(parse_xml(document));
  EXPECT_EQ(std::count(found.begin(), found.end(), "head 4 — uniform"), 10);
}

TEST(Svg, CurvesOfTwelveHeadsAreToldApart) {
  commands::HeadOptions options;
  options.heads = {1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4};
  std::set<std::string> looks;
  for (const Element& element : parse_xml(svg(commands::entropy(options).figures.at(0)))) {
    if (element.name == "path" && element.attribute("stroke-width") == "2" &&
        !element.attribute("stroke").empty())
      looks.insert(element.attribute("stroke") + " " + element.attribute("stroke-dasharray"));
  }
  EXPECT_EQ(looks.size(), 12U);
}

TEST(Svg, NarrowMatricesOfManyRowsKeepTheirColumnLabels) {
  for (const Index T : {6, 9, 12, 20}) {
    report::Figure figure = one_heatmap(Matrix::Ones(1, 1), Scale::kSigned);
    auto& heatmap = std::get<report::Heatmap>(figure.panels[0].content);
    heatmap.values = Matrix(Matrix::Ones(T, 4));
    heatmap.cols.label = report::numbered("h1d");
    const std::vector<std::string> found = texts(parse_xml(svg(figure)));
    for (const char* label : {"h1d1", "h1d2", "h1d3", "h1d4"}) {
      EXPECT_EQ(std::count(found.begin(), found.end(), label), 1) << label << " at T = " << T;
    }
  }
}

TEST(Svg, FilterBankHasTermsSignsAndSum) {
  commands::FilterbankOptions options;
  const std::vector<Element> one = parse_xml(svg(commands::filterbank(options).figures.at(0)));
  EXPECT_EQ(fills(one, "cells").size(), 3U * 16U);
  options.wo = commands::BankProjection::kAll;
  const std::vector<std::string> found = texts(parse_xml(svg(commands::filterbank(options).figures.at(0))));
  EXPECT_EQ(std::count(found.begin(), found.end(), "+"), 3);
  EXPECT_EQ(std::count(found.begin(), found.end(), "="), 3);
}

TEST(Svg, RefusesWhatIsNotFinite) {
  for (const double value : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    Matrix M = Matrix::Identity(2, 2);
    M(0, 1) = value;
    EXPECT_THROW(svg(one_heatmap(M, Scale::kWeight)), std::runtime_error);
  }
}

TEST(Svg, AnyLabelIsValidXmlAndReadsBack) {
  const std::vector<std::pair<std::string, std::string>> labels = {{"<s>", "<s>"},
                                                                   {"R&D", "R&D"},
                                                                   {"a\"b'c", "a\"b'c"},
                                                                   {"]]>", "]]>"},
                                                                   {"é日本", "é日本"},
                                                                   {"🙂", "🙂"},
                                                                   {"a\ab", "a\uFFFDb"},
                                                                   {"\xFF", "\uFFFD"},
                                                                   {"\xED\xA0\x80", "\uFFFD\uFFFD\uFFFD"},
                                                                   {"\xEF\xBF\xBF", "\uFFFD"},
                                                                   {"\x1b[31m", "\uFFFD[31m"},
                                                                   {"\u0085\u202Ea", "\uFFFD\uFFFDa"}};
  for (const auto& [label, shown] : labels) {
    SCOPED_TRACE(shown);
    const auto axis = [text = label](Index) { return text; };
    report::Figure figure{
        "figure",
        "R&D <" + label,
        "\"" + label,
        1,
        false,
        {{label,
          report::Heatmap{
              Matrix(Matrix::Ones(1, 1)), Scale::kSigned, nullptr, {label, axis}, {label, axis}, label}}}};
    const std::string document = svg(figure);
    const std::vector<Element> elements = parse_xml(document);
    EXPECT_EQ(elements.at(1).text, "R&D <" + shown);
    EXPECT_EQ(elements.at(2).text, "\"" + shown);
    const std::vector<std::string> found = texts(elements);
    // Title of the panel, two labels, two axes, the bar.
    EXPECT_EQ(std::count(found.begin(), found.end(), shown), 6);
  }
}

}  // namespace
}  // namespace mha::test
