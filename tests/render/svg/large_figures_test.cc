#include "render/svg/svg.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <regex>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/render/svg/expect_sound.h"
#include "tests/support/figures.h"

namespace mha::test {
namespace {

using attention::Mask;
using render::svg;
using report::Scale;

TEST(SvgOfLargeFigures, LongTIsPooledThinnedAndSaysSo) {
  Matrix M = Matrix::Zero(200, 200);
  M(77, 33) = -5.0;  // a mean would lose it
  const std::vector<Element> elements = parse_xml(svg(one_heatmap(M, Scale::kSigned)));
  const std::vector<render::Rgb> colors = fills(elements, "cells");
  EXPECT_EQ(colors.size(), 50U * 50U);
  EXPECT_EQ(std::count(colors.begin(), colors.end(), render::blue_to_red(-1.0)), 1);
  EXPECT_EQ(colors[77 / 4 * 50 + 33 / 4], render::blue_to_red(-1.0));
  const std::vector<std::string> found = texts(elements);
  EXPECT_NE(std::find(found.begin(), found.end(), "each cell the farthest from 0 of 4 × 4"), found.end());
  EXPECT_LT(std::count_if(found.begin(), found.end(), [](const std::string& t) { return t[0] == 't'; }), 60);
}

TEST(SvgOfLargeFigures, APooledCellOfDistancesShowsTheNearest) {
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

TEST(SvgOfLargeFigures, CurvesAreSampledFromTheFirstPositionToTheLast) {
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

TEST(SvgOfLargeFigures, ACurveThatIsNotFiniteIsRefused) {
  EXPECT_THROW(svg(one_curve(3, [](Index) { return std::nan(""); })), std::runtime_error);
}

TEST(SvgOfLargeFigures, AGridOfManyHeadsStaysBelowAMegabyteAndShowsTheirPatterns) {
  for (const Mask& mask : {Mask::kCausal, Mask::kNone}) {
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
    EXPECT_GE(cells, mask.offset == 0 ? 144 * 45 : 144 * 80);
    // As many down as across, and a triangle of them where there is a mask: its cells are not drawn at all.
    const auto drawn = static_cast<double>(cells) / 144.0;
    const double side = mask.offset == 0 ? std::floor(std::sqrt(2.0 * drawn)) : std::round(std::sqrt(drawn));
    EXPECT_EQ(drawn, mask.offset == 0 ? side * (side + 1.0) / 2.0 : side * side);
  }
}

TEST(SvgOfLargeFigures, ReadsEveryRowOnceAndNeverManyAtATime) {
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
