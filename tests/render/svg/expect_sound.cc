#include "tests/render/svg/expect_sound.h"

#include <gtest/gtest.h>

#include <regex>
#include <string>
#include <vector>

#include "tests/support/figures.h"

namespace mha::test {

void expect_sound(const std::string& svg) {
  const std::vector<Element> elements = parse_xml(svg);
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

}  // namespace mha::test
