#include "render/terminal/terminal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <regex>
#include <sstream>

#include "commands/commands.h"
#include "render/colors.h"
#include "tests/support/figures.h"
#include "text/unicode.h"

namespace mha::test {
namespace {

using attention::Mask;
using render::Colors;
using report::Scale;

const std::regex kEscape("\x1b\\[[0-9;]*m");

std::string drawn(const report::Figure& figure, std::size_t columns, Colors colors) {
  std::ostringstream out;
  render::terminal(figure, {columns, colors}, out);
  return out.str();
}

std::string without_escapes(const std::string& text) { return std::regex_replace(text, kEscape, ""); }

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST(Terminal, NoLineIsWiderThanTheScreen) {
  for (const Index T : {1, 4, 6, 20, 200}) {
    for (const report::Figure& figure : every_figure(T)) {
      for (const std::size_t columns : {20U, 27U, 40U, 80U, 160U}) {
        for (const Colors colors : {Colors::kNone, Colors::k256, Colors::k24Bit}) {
          for (const std::string& line : lines_of(without_escapes(drawn(figure, columns, colors)))) {
            EXPECT_LE(text::display_columns(line), columns)
                << figure.name << ", T = " << T << ", " << columns << " columns: " << line;
          }
        }
      }
    }
  }
}

TEST(Terminal, WideLabelsStayWithinTheScreen) {
  for (const std::string label : {"日本語のとても長いラベル", "🙂🙂🙂🙂🙂🙂🙂",
                                  "an ordinary long label", "\x1b[31m\a\xFF"}) {
    report::Figure figure = one_heatmap(Matrix::Identity(12, 12), Scale::kSigned);
    auto& heatmap = std::get<report::Heatmap>(figure.panels[0].content);
    heatmap.rows = heatmap.cols = {label, [label](Index) { return label; }};
    figure.title = figure.panels[0].title = heatmap.value_name = label;
    const std::string text = drawn(figure, 40, Colors::kNone);
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
    for (const std::string& line : lines_of(text)) EXPECT_LE(text::display_columns(line), 40U) << line;
  }
}

TEST(Terminal, EveryPanelIsThereAtAnyWidth) {
  for (const report::Figure& figure : every_figure(6)) {
    for (const std::size_t columns : {30U, 80U, 160U}) {
      std::string text = drawn(figure, columns, Colors::kNone);
      for (const report::Panel& panel : figure.panels) {
        const std::string start = panel.title.substr(0, 6);
        const std::size_t at = text.find(start);
        EXPECT_NE(at, std::string::npos) << figure.name << ": " << panel.title;
        if (at != std::string::npos) text.erase(at, start.size());
      }
    }
  }
}

TEST(Terminal, GridsStandSideBySideWhereTheyFit) {
  const report::Figure weights = every_figure(6).front();
  EXPECT_NE(drawn(weights, 80, Colors::kNone).find("Head 1 — first token                     Head 2"),
            std::string::npos);
  EXPECT_EQ(drawn(weights, 79, Colors::kNone).find("token   "), std::string::npos);
}

TEST(Terminal, TrueColorsReadBackAndEveryGroundHasItsInk) {
  Matrix A(2, 2);
  A << 1, 0, 0.7, 0.3;
  const std::string text = drawn(one_heatmap(A, Scale::kWeight), 80, Colors::k24Bit);
  const std::regex cell("\x1b\\[0;38;2;(0;0;0|255;255;255);48;2;([0-9]+);([0-9]+);([0-9]+)m ([0-9.]+) ");
  std::vector<std::pair<double, double>> found;
  for (std::sregex_iterator it(text.begin(), text.end(), cell), end; it != end; ++it) {
    const auto channel = [&](std::size_t group) {
      return static_cast<std::uint8_t>(std::stoi((*it)[group]));
    };
    found.emplace_back(std::stod((*it)[5]),
                       invert({channel(2), channel(3), channel(4)}, render::viridis, 0.0, 1.0));
  }
  ASSERT_EQ(found.size(), 4U);
  for (const auto& [value, color] : found) EXPECT_NEAR(value, color, 0.006);

  const auto count = [&](const std::regex& what) {
    return std::distance(std::sregex_iterator(text.begin(), text.end(), what), std::sregex_iterator());
  };
  EXPECT_EQ(count(std::regex("48;2;")), count(std::regex("38;2;(0;0;0|255;255;255);48;2;")));
}

TEST(Terminal, EveryLineEndsInTheTerminalsOwnColors) {
  for (const report::Figure& figure : every_figure(6)) {
    for (const std::string& line : lines_of(drawn(figure, 80, Colors::k256))) {
      std::string last;
      for (std::sregex_iterator it(line.begin(), line.end(), kEscape), end; it != end; ++it) last = it->str();
      EXPECT_TRUE(last.empty() || last == "\x1b[0m") << line;
    }
  }
}

TEST(Terminal, ShadesTellMaskedFromZeroAndSignsApart) {
  Matrix M(3, 3);
  M << 0, 0, 0, -8, 8, 0, 2, 0, -2;
  // Forty columns hold the values; twelve cells of them do not fit, and shades are left.
  const std::vector<std::string> lines =
      lines_of(drawn(one_heatmap(M, Scale::kSigned, Mask::kCausal), 40, Colors::kNone));
  EXPECT_NE(std::find(lines.begin(), lines.end(), "t2 █-8███8█  ·"), lines.end());
  Matrix wide = Matrix::Zero(12, 12);
  wide(0, 0) = -800;
  wide(0, 1) = 800;
  const std::string bare = drawn(one_heatmap(wide, Scale::kSigned), 40, Colors::kNone);
  EXPECT_NE(bare.find("t1  -███\n"), std::string::npos) << bare;
}

/// The columns of the plot's rows in which that mark stands; what is below the axis is not looked at.
std::size_t count_in_plot(const std::vector<std::string>& lines, const std::string& mark) {
  std::size_t count = 0;
  for (const std::string& line : lines) {
    const std::size_t axis = std::min(line.find("│"), line.find("┤"));
    if (axis == std::string::npos) continue;
    for (std::size_t at = line.find(mark, axis + 3); at != std::string::npos; at = line.find(mark, at + 1)) {
      ++count;
    }
  }
  return count;
}

TEST(Terminal, EveryCurveIsSeenWhereManyMeet) {
  for (const Index T : {40, 100, 300, 5000}) {
    commands::HeadOptions options;
    options.source.T = T;
    const std::vector<std::string> lines =
        lines_of(drawn(commands::entropy(options).figures.at(0), 80, Colors::kNone));
    for (const std::string mark : {"1", "2", "3", "4", "─"}) {
      EXPECT_GE(count_in_plot(lines, mark), 8U) << mark << " at T = " << T;
    }
    EXPECT_EQ(count_in_plot(lines, "*"), 0U) << T;
  }
}

TEST(Terminal, TheFirstPositionHasItsTick) {
  for (const Index T : {6, 100, 300, 5000}) {
    commands::HeadOptions options;
    options.source.T = T;
    const std::vector<std::string> lines =
        lines_of(drawn(commands::entropy(options).figures.at(0), 80, Colors::kNone));
    const auto name = std::find(lines.begin(), lines.end(), "→ position t");
    ASSERT_NE(name, lines.end());
    EXPECT_TRUE(std::regex_search(*(name - 1), std::regex("^ +1 "))) << *(name - 1);
  }
}

TEST(Terminal, CurvesAreMarkedByTheNumbersOfTheirHeads) {
  const auto plotted = [](std::vector<int> heads) {
    commands::HeadOptions options;
    options.heads = std::move(heads);
    return drawn(commands::entropy(options).figures.at(0), 80, Colors::kNone);
  };
  EXPECT_NE(plotted({2, 3}).find("\n2 head 2 — previous token\n3 head 3"), std::string::npos);
  EXPECT_NE(plotted({2, 2}).find("\n1 head 2 — previous token\n2 head 2"), std::string::npos);
}

TEST(Terminal, TwoHundredFiftySixColorsKeepHueAndOrder) {
  for (const double sign : {-1.0, 1.0}) {
    double before = 2.0;
    for (int k = 0; k <= 100; ++k) {
      const render::Rgb color = render::blue_to_red_of_256(sign * k / 100.0);
      EXPECT_LE(render::luminance(color), before) << sign * k;
      before = render::luminance(color);
      EXPECT_TRUE(k <= 10 || sign * (color.red - color.blue) > 0.0) << sign * k;
    }
  }
  double before = -1.0;
  std::size_t levels = 0;
  for (int k = 0; k <= 100; ++k) {
    const double now = render::luminance(render::viridis_of_256(k / 100.0));
    EXPECT_GE(now, before) << k;
    if (now > before) ++levels;
    before = now;
  }
  EXPECT_GE(levels, 8U);

  // As drawn, by xterm's numbers: a deep blue, white, a deep red.
  Matrix M(3, 3);
  M << -8, 0, 8, 0, 0, 0, 0, 0, 0;
  const std::string text = drawn(one_heatmap(M, Scale::kSigned), 80, Colors::k256);
  for (const char* ground : {";48;5;18m", ";48;5;231m", ";48;5;88m"}) {
    EXPECT_NE(text.find(ground), std::string::npos) << ground;
  }
}

TEST(Terminal, ValuesThatDifferByRoundingHaveOneShade) {
  for (const double half : {0.25, 4.5 / 9.0, 0.75}) {
    Matrix A(3, 3);
    A.setConstant(half);
    A(1, 0) = std::nextafter(half, 0.0);
    A(1, 2) = std::nextafter(half, 1.0);
    const std::vector<std::string> lines = lines_of(drawn(one_heatmap(A, Scale::kWeight), 80, Colors::kNone));
    const auto row = std::find_if(lines.begin(), lines.end(),
                                  [](const std::string& line) { return line.rfind("t2 ", 0) == 0; });
    ASSERT_NE(row, lines.end());
    const std::string cells = row->substr(3);
    const std::string cell = cells.substr(0, cells.size() / 3);
    EXPECT_EQ(cells, cell + cell + cell);
  }
}

TEST(Terminal, FlatMatricesHaveTheSameGlyphInEveryCell) {
  for (const double value : {0.0, 1.0 / 3.0}) {
    const std::vector<std::string> lines =
        lines_of(drawn(one_heatmap(Matrix::Constant(3, 3, value), Scale::kWeight), 80, Colors::kNone));
    const std::string cell = value > 0.0 ? "▒0.33▒" : " 0.00 ";
    for (const char* label : {"t1 ", "t2 ", "t3 "}) {
      std::string row = label + cell + cell + cell;
      row.erase(row.find_last_not_of(' ') + 1);
      EXPECT_EQ(std::count(lines.begin(), lines.end(), row), 1) << row;
    }
  }
}

TEST(Terminal, APanelAloneHasEveryLabelThatThereIsRoomFor) {
  report::Figure figure = one_heatmap(Matrix::Identity(4, 4), Scale::kWeight);
  auto& cols = std::get<report::Heatmap>(figure.panels[0].content).cols;
  cols.label = [](Index k) { return "label-" + std::to_string(k); };
  const auto labels = [](const std::string& text) {
    const std::regex label("label-[0-3]");
    return std::distance(std::sregex_iterator(text.begin(), text.end(), label), std::sregex_iterator());
  };
  EXPECT_EQ(labels(drawn(figure, 80, Colors::kNone)), 4);
  EXPECT_EQ(labels(drawn(figure, 34, Colors::kNone)), 2);
  figure.panels.push_back(figure.panels[0]);
  figure.columns = 2;
  EXPECT_EQ(labels(drawn(figure, 80, Colors::kNone)), 4) << "two beside each other, with two labels each";
}

TEST(Terminal, AStemThatReachesDownHasItsValueBelowIt) {
  Matrix values(3, 1);
  values << 2.0, -1.0, 0.5;
  const report::Figure stems{
      "stems",
      "Stems",
      "Both signs.",
      1,
      false,
      {{"",
        report::Stem{
            {report::LazyMatrix(values)}, Scale::kSigned, {"position", report::numbered("")}, "value", 3}}}};
  const std::vector<std::string> lines = lines_of(drawn(stems, 80, Colors::kNone));
  const auto lowest = std::find_if(lines.begin(), lines.end(),
                                   [](const std::string& line) { return line.rfind("-1 ┤", 0) == 0; });
  ASSERT_NE(lowest, lines.end());
  EXPECT_NE(lowest->find("●"), std::string::npos) << *lowest;
  EXPECT_NE((lowest + 1)->find("-1"), std::string::npos) << *(lowest + 1);
}

}  // namespace
}  // namespace mha::test
