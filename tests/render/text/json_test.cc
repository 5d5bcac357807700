#include "render/text/json.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "report/report.h"

namespace mha::test {
namespace {

using nlohmann::json;
using report::Count;

std::string json_of(const report::Document& document) {
  std::ostringstream out;
  render::json(document, out);
  return out.str();
}

report::Report with_result(report::Value value) {
  report::Report report("test");
  report.results = {{"x", std::move(value)}};
  return report;
}

/// The result `x` as a strict reader understands it.
json read_result(report::Value value) {
  return json::parse(json_of(with_result(std::move(value)))).at("results").at("x");
}

std::vector<double> random_doubles(std::size_t count, std::mt19937_64& engine) {
  std::vector<double> values = {0.0, -0.0, 5e-324, std::numeric_limits<double>::max(), 1e23, 48.0};
  while (values.size() < count) {
    const auto value = std::bit_cast<double>(engine());
    if (std::isfinite(value)) values.push_back(value);
  }
  return values;
}

std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }

TEST(Json, IsOneObjectOfCommandParametersAndResults) {
  report::Report report("rank");
  report.parameters = {{"T", {Count{6}}}, {"gain", {3.0}}, {"heads", {report::List{{Count{1}}, {Count{2}}}}}};
  report.results = {{"ok", {true}}, {"name", {std::string("self")}}, {"empty", {report::List{}}}};
  const nlohmann::ordered_json expected = {
      {"command", "rank"},
      {"parameters", {{"T", 6}, {"gain", 3.0}, {"heads", {1, 2}}}},
      {"results", {{"ok", true}, {"name", "self"}, {"empty", nlohmann::ordered_json::array()}}}};
  const nlohmann::ordered_json read = nlohmann::ordered_json::parse(json_of(report));
  EXPECT_EQ(read, expected);
  EXPECT_EQ(read.dump(), expected.dump()) << "another order";
  EXPECT_EQ(json_of(report).back(), '\n');
}

TEST(Json, IsOneObjectForScriptsToo) {
  const report::Report step = with_result({1.5});
  const json read = json::parse(json_of({{}, {{"one", {}, {step, step}}, {"two", {}, {}}}}));
  EXPECT_EQ(read.at("command"), "run");
  ASSERT_EQ(read.at("scripts").size(), 2U);
  EXPECT_EQ(read.at("scripts").at(0).at("script"), "one");
  EXPECT_EQ(read.at("scripts").at(0).at("steps").at(1), json::parse(json_of(step)));
  EXPECT_EQ(read.at("scripts").at(1).at("steps"), json::array());
}

TEST(Json, KeepsCountsExact) {
  EXPECT_EQ(read_result({Count{1} << 63}).get<Count>(), Count{1} << 63);
  EXPECT_EQ(read_result({(Count{1} << 53) + 1}).get<Count>(), (Count{1} << 53) + 1);
  EXPECT_TRUE(read_result({Count{48}}).is_number_unsigned());
}

TEST(Json, KeepsEveryDoubleBitForBit) {
  std::mt19937_64 engine(71);
  const std::vector<double> values = random_doubles(3000, engine);
  report::List list;
  for (const double value : values) list.push_back({value});
  Matrix column(3000, 1);
  for (Index i = 0; i < column.rows(); ++i) column(i, 0) = values[static_cast<std::size_t>(i)];

  const json from_list = read_result({list});
  const json from_vector = read_result({report::Vector{column}});
  ASSERT_EQ(from_list.size(), values.size());
  ASSERT_EQ(from_vector.size(), values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    ASSERT_EQ(bits(from_list[i].get<double>()), bits(values[i])) << values[i];
    ASSERT_EQ(bits(from_vector[i].get<double>()), bits(values[i])) << values[i];
  }
}

TEST(Json, WritesAMatrixOfSeveralBlocksRowByRow) {
  // 600 x 400 numbers are more than one block of the writer, and each tells where it belongs.
  std::vector<int> reads(600);
  const report::LazyMatrix matrix(600, 400, [&](Index first, Block block) {
    for (Index r = 0; r < block.rows(); ++r) {
      ++reads.at(static_cast<std::size_t>(first + r));
      for (Index c = 0; c < block.cols(); ++c) block(r, c) = static_cast<double>((first + r) * 400 + c);
    }
  });
  const json read = read_result({matrix});
  EXPECT_EQ(reads, std::vector<int>(600, 1));
  ASSERT_EQ(read.size(), 600U);
  for (std::size_t r = 0; r < 600; ++r) {
    ASSERT_EQ(read[r].size(), 400U) << "row " << r;
    for (std::size_t c = 0; c < 400; ++c)
      ASSERT_EQ(read[r][c].get<double>(), static_cast<double>(r * 400 + c));
  }
}

TEST(Json, RefusesWhatIsNotFinite) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                           -std::numeric_limits<double>::infinity()}) {
    SCOPED_TRACE(bad);
    EXPECT_THROW(json_of(with_result({bad})), std::runtime_error);
    EXPECT_THROW(json_of(with_result({report::List{{1.0}, {bad}}})), std::runtime_error);
    EXPECT_THROW(json_of(with_result({report::Vector{Matrix{{1.0}, {bad}}}})), std::runtime_error);
    EXPECT_THROW(json_of(with_result({report::LazyMatrix(Matrix{{1.0, bad}})})), std::runtime_error);
  }
}

TEST(Json, EscapesHostileText) {
  const std::vector<std::string> texts = {"a\"b\\c",
                                          "line\nbreak\ttab\r",
                                          std::string("nul\0!", 5),
                                          "\x01\x1f\x7f",
                                          "</script>]]>&",
                                          "é日本 😀",
                                          "\u2028",
                                          ""};
  for (const std::string& text : texts) {
    const std::string line = json_of(with_result({text}));
    EXPECT_EQ(json::parse(line).at("results").at("x").get<std::string>(), text);

    report::Report report("");
    report.results = {{text, {true}}};
    EXPECT_TRUE(json::parse(json_of(report)).at("results").at(text).get<bool>()) << "as a name";
  }
}

}  // namespace
}  // namespace mha::test
