#include "render/svg/svg.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "commands/commands.h"
#include "tests/support/figures.h"
#include "tests/support/random.h"

namespace mha::test {
namespace {

using attention::Mask;
using render::svg;
using report::Scale;

TEST(SvgTooltips, OfACellGivesItsPlaceAndItsValue) {
  std::mt19937 engine(5);
  const Matrix A = random_matrix(3, 3, engine);
  const std::vector<Element> elements = parse_xml(svg(one_heatmap(A, Scale::kSigned, Mask::kCausal)));
  Index cell = 0;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (elements[i].within != "cells") continue;
    const Index r = cell / 3;
    const Index c = cell % 3;
    ++cell;
    const std::string& tooltip = elements.at(i + 1).text;
    const std::string place = "row t" + std::to_string(r + 1) + ", column t" + std::to_string(c + 1) + ": ";
    ASSERT_EQ(tooltip.substr(0, place.size()), place);
    if (c > r) {
      EXPECT_EQ(tooltip.substr(place.size()), "masked");
    } else {
      EXPECT_EQ(std::stod(tooltip.substr(place.size())), A(r, c));  // to the last digit
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

TEST(SvgTooltips, OfAPooledCellGivesWhatItCovers) {
  Matrix M = Matrix::Zero(200, 200);
  M(77, 33) = -5.0;
  std::vector<std::string> tooltips;
  for (const Element& element : parse_xml(svg(one_heatmap(M, Scale::kSigned)))) {
    if (element.name == "title" && element.text.ends_with("-5")) tooltips.push_back(element.text);
  }
  EXPECT_EQ(tooltips, std::vector<std::string>{"rows t77–t80, columns t33–t36: farthest from 0 is -5"});
  EXPECT_NE(svg(one_heatmap(Matrix::Zero(130, 3), Scale::kSigned)).find("rows t1–t3, column t1: farthest"),
            std::string::npos);
}

TEST(SvgTooltips, OfStemsAndPoints) {
  const std::string stems = svg(commands::weights({}).figures.at(1));
  EXPECT_NE(stems.find("<title>1: 0.735"), std::string::npos);
  const std::string curves = svg(commands::entropy({}).figures.at(0));
  EXPECT_NE(curves.find("<title>head 1 — first token, at 6: 1.824"), std::string::npos);
}

}  // namespace
}  // namespace mha::test
