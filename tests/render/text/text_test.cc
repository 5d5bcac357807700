#include "render/text/text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "report/report.h"

namespace mha::test {
namespace {

using report::Count;

std::string printed(const report::Document& document, bool full = false) {
  std::ostringstream out;
  render::text(document, full, out);
  return out.str();
}

std::string printed(report::Line line, bool full = false) {
  report::Report report("");
  report.lines.push_back(std::move(line));
  return printed(report::Document(std::move(report)), full);
}

report::Vector vector_of(Index size, double value) {
  return {report::LazyMatrix(Matrix::Constant(size, 1, value))};
}

report::LazyMatrix matrix_of(Index rows, Index cols, double value) {
  return {Matrix(Matrix::Constant(rows, cols, value))};
}

std::string repeated(const std::string& text, int count) {
  std::string result;
  for (int i = 0; i < count; ++i) result += text;
  return result;
}

/// A row of a matrix as it prints: `shown` entries of 0.25, and whether there are more.
std::string row_of(int shown, bool more) {
  return "\n  [0.250000" + repeated(", 0.250000", shown - 1) + (more ? ", ...]" : "]");
}

TEST(Text, JoinsTheItemsOfALineByOneBlank) {
  EXPECT_EQ(printed({"parameters: W_Q, W_K, W_V =", Count{48}, "  W_O =", Count{16}, "  total =", Count{64}}),
            "parameters: W_Q, W_K, W_V = 48   W_O = 16   total = 64\n");
  EXPECT_EQ(printed({"max |Q_all(:, 1:2) - Q_1| =", 0.0}), "max |Q_all(:, 1:2) - Q_1| = 0\n");
  EXPECT_EQ(printed({"x", 1.0986122886681098, -2.5}), "x 1.0986122886681098 -2.5\n");
  EXPECT_EQ(printed({"Concat shape =", vector_of(2, 4.0), "   O shape =", vector_of(2, 4.0)}),
            "Concat shape = [1×2]  4.000000  4.000000    O shape = [1×2]  4.000000  4.000000\n");
}

TEST(Text, PrintsALargeCountExactly) { EXPECT_EQ(printed({Count{1} << 63}), "9223372036854775808\n"); }

TEST(Text, PrintsAVectorWithSixDecimals) {
  const Matrix row{{0.25}, {0.25}, {0.25}, {0.25}, {0.0}, {0.0}};
  EXPECT_EQ(printed({"Head 4 row 4:", report::Vector{row}}),
            "Head 4 row 4: [1×6]  0.250000  0.250000  0.250000  0.250000  0.000000  0.000000\n");
}

TEST(Text, CutsAVectorAfterEightEntries) {
  EXPECT_EQ(printed({vector_of(1, 0.5)}), "[1×1]  0.500000\n");
  EXPECT_EQ(printed({vector_of(7, 0.5)}), "[1×7]" + repeated("  0.500000", 7) + "\n");
  EXPECT_EQ(printed({vector_of(8, 0.5)}), "[1×8]" + repeated("  0.500000", 8) + "\n");
  EXPECT_EQ(printed({vector_of(9, 0.5)}), "[1×9]" + repeated("  0.500000", 8) + "  ... (9 total)\n");
  EXPECT_EQ(printed({vector_of(9, 0.5)}, true), "[1×9]" + repeated("  0.500000", 9) + "\n");
}

TEST(Text, PrintsAMatrixARowALine) {
  EXPECT_EQ(printed({"O = Concat * W_O:", report::LazyMatrix(Matrix{{1, 0, -1}, {0.5, -1e-9, 1.0 / 3.0}})}),
            "O = Concat * W_O: Matrix(2x3)\n"
            "  [1.000000, 0.000000, -1.000000]\n"
            "  [0.500000, 0.000000, 0.333333]\n");
}

TEST(Text, CutsAMatrixAfterEightColumns) {
  for (const int cols : {1, 7, 8, 9}) {
    const std::string heading = "Matrix(2x" + std::to_string(cols) + ")";
    EXPECT_EQ(printed({matrix_of(2, cols, 0.25)}),
              heading + repeated(row_of(std::min(cols, 8), cols > 8), 2) + "\n");
    EXPECT_EQ(printed({matrix_of(2, cols, 0.25)}, true), heading + repeated(row_of(cols, false), 2) + "\n");
  }
}

TEST(Text, CutsAMatrixAfterEightRows) {
  for (const int rows : {1, 7, 8, 9}) {
    const std::string heading = "Matrix(" + std::to_string(rows) + "x3)";
    const std::string rest = rows > 8 ? "\n  ... (9 rows total)" : "";
    EXPECT_EQ(printed({matrix_of(rows, 3, 0.25)}),
              heading + repeated(row_of(3, false), std::min(rows, 8)) + rest + "\n");
    EXPECT_EQ(printed({matrix_of(rows, 3, 0.25)}, true), heading + repeated(row_of(3, false), rows) + "\n");
  }
}

TEST(Text, CutsAMatrixThatIsLongBothWays) {
  EXPECT_EQ(printed({matrix_of(128, 128, 0.0078125)}),
            "Matrix(128x128)" + repeated("\n  [" + repeated("0.007812, ", 8) + "...]", 8) +
                "\n  ... (128 rows total)\n");
}

/// Counts how often each of its rows is computed.
struct CountedMatrix {
  explicit CountedMatrix(Index rows) : reads(static_cast<std::size_t>(rows)) {}

  report::LazyMatrix matrix(Index cols) {
    return {static_cast<Index>(reads.size()), cols, [this](Index first, Block block) {
              for (Index r = 0; r < block.rows(); ++r) ++reads.at(static_cast<std::size_t>(first + r));
              block.setZero();
            }};
  }

  std::vector<int> reads;
};

TEST(Text, ComputesOnlyTheRowsThatItShows) {
  std::vector<int> first_eight(65536, 0);
  std::fill(first_eight.begin(), first_eight.begin() + 8, 1);

  CountedMatrix counted(65536);
  printed({counted.matrix(65536)});
  EXPECT_EQ(counted.reads, first_eight);

  CountedMatrix counted_vector(65536);
  printed({report::Vector{counted_vector.matrix(1)}});
  EXPECT_EQ(counted_vector.reads, first_eight);

  CountedMatrix counted_full(20);
  printed({counted_full.matrix(20)}, true);
  EXPECT_EQ(counted_full.reads, std::vector<int>(20, 1));
}

TEST(Text, LaysATableOutInColumnsWithCountsToTheRight) {
  const report::Table counts{{"H", "d_k", "total"},
                             {{Count{1}, Count{384}, Count{589824}}, {Count{12}, Count{32}, Count{7}}}};
  EXPECT_EQ(printed({counts}),
            " H  d_k   total\n"
            " 1  384  589824\n"
            "12   32       7\n");
  const report::Table checks{
      {"what", "expected", ""},
      {{"A4_row4", report::Decimals{{0.25, -1e-9}, 2}, "ok"}, {"n", report::Decimals{{48}, 0}, "NOT OK"}}};
  EXPECT_EQ(printed({checks}),
            "what     expected\n"
            "A4_row4  0.25, 0.00  ok\n"
            "n        48          NOT OK\n");
}

TEST(Text, PrintsEachScriptUnderItsName) {
  report::Report first("");
  first.lines = {{"a"}, {"b", 1.5}};
  report::Report second("");
  second.lines = {{"c"}};
  const std::vector<report::Script> scripts = {{"one", {}, {first, second}}, {"two", {}, {second}}};
  EXPECT_EQ(printed({{}, scripts}), "=== one ===\na\nb 1.5\nc\n=== two ===\nc\n");
}

}  // namespace
}  // namespace mha::test
