#include "render/svg/svg.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "tests/render/svg/expect_sound.h"
#include "tests/support/figures.h"
#include "tests/support/random.h"

namespace mha::test {
namespace {

using attention::Mask;
using render::svg;
using report::Scale;

TEST(SvgColors, AttentionColorsReadBackToTheWeights) {
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

TEST(SvgColors, SignedColorsReadBackAndZeroIsNeutral) {
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

TEST(SvgColors, OneSignIsSequentialFromNeutral) {
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

TEST(SvgColors, MaskedCellsHaveAColorThatNoValueHas) {
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

TEST(SvgColors, FlatMatricesDrawPlainly) {
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

}  // namespace
}  // namespace mha::test
