// Files whose answers are known by hand, through the program: weights and scores as somebody has them.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/models.h"
#include "tests/support/process.h"

namespace mha::test {
namespace {

using nlohmann::json;

/// `mha COMMAND --input FILE OPTIONS` with a file that holds that.
Outcome with_file(const std::string& command, const std::string& content, const std::string& options = "") {
  const TemporaryFile file("given.json", content);
  return shell("mha " + command + " --input given.json " + options, {}, file.parent().string());
}

json results(const std::string& command, const std::string& content, const std::string& options = "") {
  const Outcome outcome = with_file(command, content, options + " --format json");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  return json::parse(outcome.out, nullptr, false).value("results", json());
}

void expect_close(const json& found, const std::vector<double>& right) {
  ASSERT_EQ(found.size(), right.size()) << found;
  for (std::size_t i = 0; i < right.size(); ++i) EXPECT_NEAR(found[i].get<double>(), right[i], 1e-12) << i;
}

const std::string kUniform = R"({"A": [[0.25, 0.25, 0.25, 0.25], [0.25, 0.25, 0.25, 0.25],
                                       [0.25, 0.25, 0.25, 0.25], [0.25, 0.25, 0.25, 0.25]]})";

TEST(GivenWeights, OfACertainAnEvenAndAMixedRowHaveNoneOneAndOneAndAHalfBits) {
  const std::string A = R"({"A": [[1, 0, 0], [0.5, 0.5, 0], [0.25, 0.25, 0.5]]})";
  expect_close(results("entropy", A)["heads"][0]["bits"], {0.0, 1.0, 1.5});
  const std::string text = with_file("entropy", A).out;
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "(bits)", text);
  EXPECT_PRED_FORMAT2(testing::IsSubstring,
                      "  [1.000000, 0.000000, 0.000000]\n  [2.000000, 1.000000, 1.000000]\n"
                      "  [3.000000, 1.584963, 1.500000]\n",
                      text);
}

TEST(GivenWeights, HaveTheBitsOfTheScoresThatTheyComeFrom) {
  const std::string scores = R"({"Q": [[0, 1], [2, -1], [0.5, 3], [-2, 0.25], [0, 0]],
                                 "K": [[1, 1], [0, -2], [0.5, 0.5], [3, -1], [-1, 2]]})";
  const json from_scores = results("entropy", scores)["heads"][0]["bits"];
  const json A = results("weights", scores)["heads"][0]["A"];
  const json from_A = results("entropy", json{{"A", A}}.dump())["heads"][0]["bits"];
  expect_close(from_A, from_scores.get<std::vector<double>>());
  EXPECT_GT(from_A[4].get<double>(), 2.3) << "five keys, all the same";
}

TEST(GivenWeights, ThatAreUniformSpendTwoBitsOfTwoWhereverTheyAreTold) {
  const std::string all_keys = "--mask none";
  expect_close(results("entropy", kUniform, all_keys)["heads"][0]["bits"], {2.0, 2.0, 2.0, 2.0});
  expect_close(results("entropy", kUniform, all_keys)["log2_n"], {2.0, 2.0, 2.0, 2.0});
  const std::string text = with_file("entropy", kUniform, all_keys).out;
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "columns: t, log2 n, head 1  (bits)", text);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "  [4.000000, 2.000000, 2.000000]\n", text);

  const json inspected = results("inspect", kUniform, all_keys);
  expect_close({inspected["heads"][0]["mean_bits"], inspected["ceiling_bits"]}, {2.0, 2.0});
  expect_close({inspected["heads"][0]["mean_effective_positions"], inspected["ceiling_positions"]},
               {4.0, 4.0});
  EXPECT_EQ(inspected["heads"][0]["nearest"], "growing box");
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "ceilings: 2.0000 bits, 4.00 positions",
                      with_file("inspect", kUniform, all_keys).out);

  const TemporaryFile file("given.json", kUniform);
  const Outcome drawn = shell("mha entropy --input given.json --mask none --svg drawn && cat drawn/*.svg", {},
                              file.parent().string());
  ASSERT_EQ(drawn.status, 0) << drawn.err;
  EXPECT_PRED_FORMAT2(testing::IsSubstring, ">row entropy (bits)</text>", drawn.out);
}

TEST(GivenWeights, OfAHeadThatSeesNothingAreRefusedAndNothingIsPrinted) {
  const std::string V = R"("V": [[[1], [2]], [[3], [4]]], "W_O": [[1, 2], [3, 4]]})";
  for (const char* const command : {"concat", "weights", "concat --format json", "inspect"}) {
    const Outcome zeros = with_file(command, R"({"A": [[[1, 0], [0.5, 0.5]], [[0, 0], [0, 0]]], )" + V);
    EXPECT_EQ(zeros.status, 2) << command;
    EXPECT_EQ(zeros.out, "") << command;
    EXPECT_EQ(zeros.err,
              "mha: --input 'given.json': A of head 2, row 1: sums to 0, not to 1 within 0.0001\n");
    const Outcome infinite = with_file(
        command, R"({"Q": [[[0], [0]], [[-Infinity], [-Infinity]]], "K": [[[0], [0]], [[1], [1]]], )" + V);
    EXPECT_EQ(infinite.status, 2) << command;
    EXPECT_EQ(infinite.out, "") << command;
    EXPECT_PRED_FORMAT2(testing::IsSubstring, "\"Q\", slice 2, row 1, column 1", infinite.err);
  }
}

TEST(GivenScores, OfFiveQueriesAndTwoKeysAreMaskedAsAligned) {
  const std::string zeros = R"({"Q": [[0], [0], [0], [0], [0]], "K": [[0], [0]]})";
  const json top_left = {{1, 0}, {0.5, 0.5}, {0.5, 0.5}, {0.5, 0.5}, {0.5, 0.5}};
  const json bottom_right = {{0, 0}, {0, 0}, {0, 0}, {1, 0}, {0.5, 0.5}};
  EXPECT_EQ(results("weights", zeros, "--align top-left")["heads"][0]["A"], top_left);
  EXPECT_EQ(results("weights", zeros, "--align bottom-right")["heads"][0]["A"], bottom_right);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "top-left", with_file("weights", zeros, "--align top-left").out);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "bottom-right",
                      with_file("weights", zeros, "--align bottom-right").out);
}

TEST(GivenScores, OfAsManyQueriesAsKeysAreMaskedTheSameHoweverAligned) {
  const std::string zeros = R"({"Q": [[0], [0], [0]], "K": [[0], [0], [0]]})";
  const std::string text = with_file("weights", zeros).out;
  EXPECT_PRED_FORMAT2(testing::IsSubstring,
                      "  [1.000000, 0.000000, 0.000000]\n  [0.500000, 0.500000, 0.000000]\n"
                      "  [0.333333, 0.333333, 0.333333]\n",
                      text);
  EXPECT_EQ(with_file("weights", zeros, "--align top-left").out, text);
  EXPECT_EQ(with_file("weights", zeros, "--align bottom-right").out, text);
}

TEST(GivenNumbers, ThatAreNoneAreRefusedWithTheirRowAndColumn) {
  for (const char* const entry : {"NaN", "Infinity", "1e999", "null"}) {
    for (const char* const format : {"", "--format json"}) {
      const Outcome outcome =
          with_file("weights", R"({"A": [[)" + std::string(entry) + ", 1], [1, 1]]}", format);
      EXPECT_EQ(outcome.status, 2) << entry;
      EXPECT_EQ(outcome.out, "") << entry;
      EXPECT_PRED_FORMAT2(testing::IsSubstring, "\"A\", row 1, column 1", outcome.err);
    }
  }
}

}  // namespace
}  // namespace mha::test
