#include "render/svg/svg.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <regex>
#include <set>

#include "commands/concat.h"
#include "commands/entropy.h"
#include "commands/filterbank.h"
#include "commands/weights.h"
#include "tests/support/figures.h"
#include "tests/support/random.h"

namespace mha::test {
namespace {

using render::svg;
using report::Mask;
using report::Scale;

/// What has to hold of any figure.
void expect_sound(const std::string& document) {
  const std::vector<Element> elements = parse_xml(document);
  ASSERT_EQ(elements.at(0).name, "svg");
  EXPECT_EQ(elements.at(0).attribute("role"), "img");
  EXPECT_EQ(elements.at(1).name, "title");
  EXPECT_EQ(elements.at(2).name, "desc");
  EXPECT_EQ(elements.at(0).attribute("aria-labelledby"),
            elements.at(1).attribute("id") + " " + elements.at(2).attribute("id"));
  EXPECT_FALSE(elements.at(1).text.empty());
  EXPECT_FALSE(elements.at(2).text.empty());
  const double width = std::stod(elements.at(0).attribute("width"));
  const double height = std::stod(elements.at(0).attribute("height"));
  for (const Element& element : elements) {
    EXPECT_NE(element.name, "script");
    for (const auto& [key, value] : element.attributes) {
      EXPECT_FALSE(key.find("href") != std::string::npos || key == "style") << key;
      EXPECT_FALSE(std::regex_search(value, std::regex("\\b(nan|inf)"))) << key << "=" << value;
    }
    if (element.name == "rect" || element.name == "text") {
      const double x = element.attribute("x").empty() ? 0.0 : std::stod(element.attribute("x"));
      const double y = element.attribute("y").empty() ? 0.0 : std::stod(element.attribute("y"));
      EXPECT_TRUE(x >= 0.0 && x <= width && y >= 0.0 && y <= height)
          << element.text << " at " << x << ", " << y;
    }
  }
}

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
  heads.T = 1999;
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

TEST(Svg, ACellAnswersAPointerWithItsPlaceAndItsValue) {
  std::mt19937 engine(5);
  const Matrix A = random_matrix(3, 3, engine);
  const std::vector<Element> elements = parse_xml(svg(one_heatmap(A, Scale::kSigned, Mask::kCausal)));
  Index cell = 0;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (elements[i].within != "cells") continue;
    const Index r = cell / 3;
    const Index c = cell % 3;
    ++cell;
    const std::string& told = elements.at(i + 1).text;
    const std::string place = "row t" + std::to_string(r + 1) + ", column t" + std::to_string(c + 1) + ": ";
    ASSERT_EQ(told.substr(0, place.size()), place);
    if (c > r) {
      EXPECT_EQ(told.substr(place.size()), "masked");
    } else {
      EXPECT_EQ(std::stod(told.substr(place.size())), A(r, c));  // to the last digit
    }
  }
  EXPECT_EQ(cell, 9);
  for (const Element& element : elements) {
    EXPECT_EQ(element.attribute("pointer-events"), element.attribute("class") == "values" ? "none" : "");
  }
  EXPECT_EQ(std::count_if(elements.begin(), elements.end(),
                          [](const Element& e) { return e.name == "text" && e.within == "values"; }),
            6);
}

TEST(Svg, APooledCellSaysWhatItCovers) {
  Matrix M = Matrix::Zero(200, 200);
  M(77, 33) = -5.0;
  std::vector<std::string> told;
  for (const Element& element : parse_xml(svg(one_heatmap(M, Scale::kSigned)))) {
    if (element.name == "title" && element.text.ends_with("-5")) told.push_back(element.text);
  }
  EXPECT_EQ(told, std::vector<std::string>{"rows t77–t80, columns t33–t36: farthest from 0 is -5"});
  EXPECT_NE(svg(one_heatmap(Matrix::Zero(130, 3), Scale::kSigned)).find("rows t1–t3, column t1: farthest"),
            std::string::npos);
}

TEST(Svg, StemsAndPointsAnswerAPointerToo) {
  const std::string stems = svg(commands::weights({}).figures.at(1));
  EXPECT_NE(stems.find("<title>1: 0.735"), std::string::npos);
  const std::string curves = svg(commands::entropy({}).figures.at(0));
  EXPECT_NE(curves.find("<title>head 1 — first token, at 6: 1.824"), std::string::npos);
}

TEST(Svg, FilterBankHasTermsSignsAndSum) {
  commands::PipelineOptions options;
  const std::vector<Element> one = parse_xml(svg(commands::filterbank(options).figures.at(0)));
  EXPECT_EQ(fills(one, "cells").size(), 3U * 16U);
  options.wo = commands::kEveryProjection;
  const std::vector<std::string> found = texts(parse_xml(svg(commands::filterbank(options).figures.at(0))));
  EXPECT_EQ(std::count(found.begin(), found.end(), "+"), 3);
  EXPECT_EQ(std::count(found.begin(), found.end(), "="), 3);
}

TEST(Svg, AttentionColorsReadBackToTheWeights) {
  std::mt19937 engine(3);
  Matrix A = random_matrix(7, 7, engine).cwiseAbs();
  A = A.array().colwise() / A.rowwise().sum().array();
  const std::vector<render::Rgb> colors = fills(parse_xml(svg(one_heatmap(A, Scale::kWeight))), "cells");
  ASSERT_EQ(colors.size(), 49U);
  for (Index i = 0; i < 49; ++i) {
    EXPECT_NEAR(invert(colors[static_cast<std::size_t>(i)], render::viridis, 0.0, 1.0), A(i / 7, i % 7),
                0.006);
  }
}

TEST(Svg, SignedColorsReadBackAndZeroIsNeutral) {
  std::mt19937 engine(4);
  Matrix M = random_matrix(5, 5, engine, 40.0);
  M(2, 3) = 0.0;
  const double farthest = M.cwiseAbs().maxCoeff();
  const std::vector<Element> elements = parse_xml(svg(one_heatmap(M, Scale::kSigned)));
  const std::vector<render::Rgb> colors = fills(elements, "cells");
  for (Index i = 0; i < 25; ++i) {
    const double value =
        farthest * invert(colors[static_cast<std::size_t>(i)], render::blue_to_red, -1.0, 1.0);
    EXPECT_NEAR(value, M(i / 5, i % 5), 0.02 * farthest);
  }
  EXPECT_EQ(colors[13], (render::Rgb{0xf7, 0xf7, 0xf7}));
  const std::vector<render::Rgb> bar = fills(elements, "bar");
  EXPECT_EQ(bar.front(), render::blue_to_red(1.0));
  EXPECT_EQ(bar.back(), render::blue_to_red(-1.0));
}

TEST(Svg, OneSignIsSequentialFromNeutral) {
  Matrix M(2, 2);
  M << 1, 2, 3, 4;
  for (const double sign : {1.0, -1.0}) {
    const std::vector<Element> elements = parse_xml(svg(one_heatmap(sign * M, Scale::kSigned)));
    const std::vector<render::Rgb> bar = fills(elements, "bar");
    const render::Rgb zero = render::blue_to_red(0.0);
    EXPECT_EQ(sign > 0 ? bar.back() : bar.front(), zero);
    EXPECT_EQ(sign > 0 ? bar.front() : bar.back(), render::blue_to_red(sign));
    const std::vector<std::string> found = texts(elements);
    EXPECT_EQ(std::count(found.begin(), found.end(), sign > 0 ? "4" : "-4"),
              2);  // in its cell and at the bar
  }
}

TEST(Svg, MaskedCellsHaveAColorThatNoValueHas) {
  for (const Scale scale : {Scale::kWeight, Scale::kSigned}) {
    const std::vector<render::Rgb> colors =
        fills(parse_xml(svg(one_heatmap(Matrix::Zero(4, 4), scale, Mask::kCausal))), "cells");
    for (Index r = 0; r < 4; ++r) {
      for (Index c = 0; c < 4; ++c) {
        EXPECT_EQ(colors[static_cast<std::size_t>(4 * r + c)] == render::kMasked, c > r);
      }
    }
  }
  for (int k = -1000; k <= 1000; ++k) {
    EXPECT_NE(render::blue_to_red(k / 1000.0), render::kMasked);
    EXPECT_NE(render::viridis(k / 1000.0), render::kMasked);
  }
}

TEST(Svg, FlatMatricesDrawPlainly) {
  for (const double value : {0.0, 1.0 / 3.0, 1.0, -2.0}) {
    for (const Index T : {1, 3}) {
      const std::string document = svg(one_heatmap(Matrix::Constant(T, T, value), Scale::kSigned));
      expect_sound(document);
      const std::vector<render::Rgb> colors = fills(parse_xml(document), "cells");
      const render::Rgb color = render::blue_to_red(value > 0.0 ? 1.0 : value < 0.0 ? -1.0 : 0.0);
      EXPECT_EQ(colors, std::vector<render::Rgb>(static_cast<std::size_t>(T * T), color));
      const std::string weights = svg(one_heatmap(Matrix::Constant(T, T, value), Scale::kWeight));
      expect_sound(weights);
      EXPECT_EQ(fills(parse_xml(weights), "cells"),
                std::vector<render::Rgb>(static_cast<std::size_t>(T * T), render::viridis(value)));
    }
  }
  // Where all are 0 the bar has that one value.
  const std::vector<Element> zeros = parse_xml(svg(one_heatmap(Matrix::Zero(3, 3), Scale::kSigned)));
  const std::vector<render::Rgb> bar = fills(zeros, "bar");
  EXPECT_EQ(bar, std::vector<render::Rgb>(bar.size(), render::blue_to_red(0.0)));
  const std::vector<std::string> found = texts(zeros);
  EXPECT_EQ(std::count(found.begin(), found.end(), "0"), 9 + 1);
  const report::Figure stems{"stems",
                             "Stems",
                             "Three zeros.",
                             1,
                             false,
                             {{"", report::Stem{{report::LazyMatrix(Matrix::Zero(3, 1))},
                                                Scale::kSigned,
                                                {"position", report::numbered("")},
                                                "value",
                                                3}}}};
  expect_sound(svg(stems));
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
    report::Figure figure{"figure",
                          "R&D <" + label,
                          "\"" + label,
                          1,
                          false,
                          {{label, report::Heatmap{Matrix(Matrix::Ones(1, 1)),
                                                   Scale::kSigned,
                                                   Mask::kNone,
                                                   {label, axis},
                                                   {label, axis},
                                                   label}}}};
    const std::string document = svg(figure);
    const std::vector<Element> elements = parse_xml(document);
    EXPECT_EQ(elements.at(1).text, "R&D <" + shown);
    EXPECT_EQ(elements.at(2).text, "\"" + shown);
    const std::vector<std::string> found = texts(elements);
    // Title of the panel, two labels, two axes, the bar.
    EXPECT_EQ(std::count(found.begin(), found.end(), shown), 6);
  }
}

TEST(Svg, LongTIsPooledThinnedAndSaysSo) {
  Matrix M = Matrix::Zero(200, 200);
  M(77, 33) = -5.0;  // a mean would lose it
  const std::vector<Element> elements = parse_xml(svg(one_heatmap(M, Scale::kSigned)));
  const std::vector<render::Rgb> colors = fills(elements, "cells");
  EXPECT_EQ(colors.size(), 50U * 50U);
  EXPECT_EQ(std::count(colors.begin(), colors.end(), render::blue_to_red(-1.0)), 1);
  EXPECT_EQ(colors[77 / 4 * 50 + 33 / 4], render::blue_to_red(-1.0));
  const std::vector<std::string> found = texts(elements);
  EXPECT_NE(std::find(found.begin(), found.end(), "each cell shows the value farthest from 0 of 4 × 4"), found.end());
  EXPECT_LT(std::count_if(found.begin(), found.end(), [](const std::string& t) { return t[0] == 't'; }), 60);
}

/// A figure of one curve, which is the ceiling, with the value `value(t)` at position t = 1 … T.
template <typename Value>
report::Figure one_curve(Index T, const Value& value) {
  const report::LazyMatrix column(T, 1, [value](Index first, Block block) {
    for (Index r = 0; r < block.rows(); ++r) block(r, 0) = value(first + r + 1);
  });
  return {
      "curve",    "A curve",
      "A curve.", 1,
      false,      {{"", report::Curves{{"t", report::numbered("")}, "value", {"ceiling", {column}}, {}}}}};
}

TEST(Svg, CurvesAreSampledFromTheFirstPositionToTheLast) {
  for (const Index T : {1, 2, 256, 257, 300, 20000}) {
    SCOPED_TRACE(T);
    std::vector<Index> asked;
    const report::Figure figure = one_curve(T, [&asked, T](Index t) {
      asked.push_back(t);
      return t == 1 ? 0.0 : t == T ? 2.0 : 1.0;
    });
    const std::string document = svg(figure);
    expect_sound(document);
    EXPECT_EQ(asked.front(), 1);
    EXPECT_EQ(asked.back(), T);
    EXPECT_LE(asked.size(), 256U);
    EXPECT_GE(static_cast<Index>(asked.size()), std::min<Index>(T, 128));
    for (std::size_t k = 2; k + 1 < asked.size(); ++k) {
      EXPECT_EQ(asked[k] - asked[k - 1], asked[1] - asked[0]);
    }
    if (T <= 256) continue;
    const std::vector<std::string> found = texts(parse_xml(document));
    const std::string note =
        "one point every " + std::to_string(asked[1] - asked[0]) + " positions, plus the last";
    EXPECT_NE(std::find(found.begin(), found.end(), note), found.end());
    // The curve begins at the bottom, at its 0, and ends at the top.
    const std::regex curve("d=\"M([0-9.]+) ([0-9.]+)L[^\"]*L([0-9.]+) ([0-9.]+)\" fill=\"none\"");
    std::smatch ends;
    ASSERT_TRUE(std::regex_search(document, ends, curve));
    EXPECT_NEAR(std::stod(ends[2]) - std::stod(ends[4]), 292.0, 0.1);
  }
}

TEST(Svg, ACurveThatIsNotFiniteIsRefused) {
  EXPECT_THROW(svg(one_curve(3, [](Index) { return std::nan(""); })), std::runtime_error);
}

TEST(Svg, AGridOfManyHeadsStaysBelowAMegabyteAndShowsTheirPatterns) {
  for (const Mask mask : {Mask::kCausal, Mask::kNone}) {
    report::Figure figure = one_heatmap(Matrix::Random(200, 200).cwiseAbs(), Scale::kWeight, mask);
    figure.panels.resize(144, figure.panels.front());
    figure.columns = 12;
    figure.one_scale = true;
    const std::string document = svg(figure);
    expect_sound(document);
    EXPECT_LT(document.size(), 1000000U);
    const std::vector<Element> elements = parse_xml(document);
    const auto cells = std::count_if(elements.begin(), elements.end(), [](const Element& element) {
      return element.name == "path" && element.within == "cells";
    });
    // Nine by nine cells of each head at least, of which a causal mask leaves half.
    EXPECT_GE(cells, mask.diagonal == 0 ? 144 * 45 : 144 * 80);
    // As many down as across, and a triangle of them where there is a mask: its cells are not drawn at all.
    const auto drawn = static_cast<double>(cells) / 144.0;
    const double side =
        mask.diagonal == 0 ? std::floor(std::sqrt(2.0 * drawn)) : std::round(std::sqrt(drawn));
    EXPECT_EQ(drawn, mask.diagonal == 0 ? side * (side + 1.0) / 2.0 : side * side);
  }
}

TEST(Svg, APooledCellOfDistancesShowsTheNearest) {
  Matrix distances = Matrix::Constant(200, 200, 0.75);
  distances.diagonal().setZero();
  report::Figure figure = one_heatmap(distances, Scale::kWeight);
  auto& heatmap = std::get<report::Heatmap>(figure.panels[0].content);
  heatmap.pooled = report::Pooled::kLeast;
  const std::string document = svg(figure);
  EXPECT_NE(document.find("columns t1–t4: smallest is 0</title>"), std::string::npos);
  EXPECT_EQ(document.find("farthest"), std::string::npos);
  const auto cells = fills(parse_xml(document), "cells");
  const auto side = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(cells.size()))));
  ASSERT_LT(side, 200U);
  for (std::size_t k = 0; k < side; ++k) {
    EXPECT_TRUE(cells[k * side + k] == cells[0]) << k;
    EXPECT_TRUE(k == 0 || !(cells[k] == cells[0])) << k;
  }
}

TEST(Svg, ReadsEveryRowOnceAndNeverManyAtATime) {
  constexpr Index kT = 4000;
  Index read = 0;
  Index most = 0;
  const report::LazyMatrix matrix(kT, kT, [&](Index, Block block) {
    read += block.rows();
    most = std::max(most, block.size());
    block.setConstant(0.5);
  });
  report::Figure figure = one_heatmap(Matrix::Zero(1, 1), Scale::kWeight);
  std::get<report::Heatmap>(figure.panels[0].content).values = matrix;
  EXPECT_LT(svg(figure).size(), 1000000U);
  EXPECT_EQ(read, kT);
  EXPECT_LE(most, Index{1} << 17);
}

}  // namespace
}  // namespace mha::test
