#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "analysis/filter_bank.h"
#include "attention/causal_attention.h"
#include "attention/multi_head.h"
#include "commands/commands.h"
#include "lessons/09-multi-head-attention/lesson.h"
#include "render/text/json.h"
#include "render/text/text.h"
#include "tests/support/lesson_heads.h"
#include "tests/support/refusal.h"

namespace mha::test {
namespace {

using lesson09::hand_set_head;

TEST(LessonHeads, HaveTheirNamesAndShapesAtAnySize) {
  const std::vector<std::string> names = {"first token", "previous token", "self", "uniform"};
  for (const Index T : {1, 2, 6, 9, 100}) {
    for (int number = 1; number <= 4; ++number) {
      const LessonHead head = lesson_head(number, T, 3.0);
      SCOPED_TRACE(testing::Message() << "head " << number << ", T = " << T);
      EXPECT_EQ(head.name, names[static_cast<std::size_t>(number - 1)]);
      EXPECT_EQ(head.Q.rows(), T);
      EXPECT_EQ(head.Q.cols(), 2);
      EXPECT_EQ(head.K.rows(), T);
      EXPECT_EQ(head.K.cols(), 2);
    }
  }
}

TEST(LessonHeads, TheFirstKeysOnRowOneAlone) {
  for (const Index T : {1, 6, 9}) {
    const LessonHead head = lesson_head(1, T, 2.5);
    Matrix K = Matrix::Zero(T, 2);
    K(0, 0) = 2.5;
    Matrix Q = Matrix::Zero(T, 2);
    for (Index t = 0; t < T; ++t) Q(t, 0) = 1.0;
    EXPECT_EQ(head.K, K) << "T = " << T;
    EXPECT_EQ(head.Q, Q) << "T = " << T;
  }
}

TEST(LessonHeads, TheSecondAndThirdWritePositionsOnACircle) {
  for (const Index T : {1, 2, 3, 6, 40}) {
    const LessonHead previous = lesson_head(2, T, 3.0);
    const LessonHead self = lesson_head(3, T, 3.0);
    EXPECT_EQ(self.Q, self.K) << "T = " << T;
    EXPECT_EQ(previous.K, self.K) << "T = " << T;
    for (Index t = 1; t <= T; ++t) {
      const double step = 2.0 * std::numbers::pi / static_cast<double>(T);
      const double here = step * static_cast<double>(t);
      const double before = step * static_cast<double>(t - 1);
      SCOPED_TRACE(testing::Message() << "T = " << T << ", t = " << t);
      EXPECT_NEAR(self.K(t - 1, 0), 3.0 * std::cos(here), 1e-14);
      EXPECT_NEAR(self.K(t - 1, 1), 3.0 * std::sin(here), 1e-14);
      EXPECT_NEAR(previous.Q(t - 1, 0), 3.0 * std::cos(before), 1e-14);
      EXPECT_NEAR(previous.Q(t - 1, 1), 3.0 * std::sin(before), 1e-14);
    }
  }
}

TEST(LessonHeads, TheFourthIsZero) {
  const LessonHead head = lesson_head(4, 6, 3.0);
  EXPECT_TRUE(head.Q.isZero(0.0));
  EXPECT_TRUE(head.K.isZero(0.0));
}

TEST(LessonHeads, LookWhereTheirNamesSayOnceTheGainIsLarge) {
  const Index T = 6;
  for (Index t = 1; t < T; ++t) {
    const auto most_seen = [&](int number) {
      const LessonHead head = lesson_head(number, T, 100.0);
      Matrix row(1, T);
      attention::attention_weights(head.Q, head.K, t, row);
      Index key = -1;
      EXPECT_NEAR(row.row(0).maxCoeff(&key), 1.0, 1e-9) << "head " << number << ", row " << t;
      return key;
    };
    EXPECT_EQ(most_seen(1), 0);
    EXPECT_EQ(most_seen(2), t - 1);
    EXPECT_EQ(most_seen(3), t);
  }
}

TEST(LessonHeads, AreFour) {
  for (const int number : {0, 5, -1}) {
    const std::string message = refusal<std::invalid_argument>([&] { hand_set_head(number, 6, 3.0); });
    EXPECT_PRED_FORMAT2(testing::IsSubstring, std::to_string(number), message);
  }
}

TEST(LessonPipeline, ReadsTheFeaturesThatTheLessonSays) {
  for (const Index T : {1, 3, 4, 7}) {
    const attention::Layer pipeline = lesson09::two_head_pipeline(T, 3.0);
    ASSERT_EQ(pipeline.X.rows(), T);
    ASSERT_EQ(pipeline.X.cols(), 4);
    for (Index t = 0; t < T; ++t) {
      for (Index c = 0; c < 4; ++c) EXPECT_EQ(pipeline.X(t, c), t == c ? 1.0 : 0.0) << t << ", " << c;
    }
    ASSERT_EQ(pipeline.heads.size(), 2U);
    EXPECT_EQ(*pipeline.heads[0].Q, lesson_head(3, T, 3.0).Q);
    EXPECT_EQ(*pipeline.heads[0].K, lesson_head(3, T, 3.0).K);
    EXPECT_TRUE(pipeline.heads[1].Q->isZero(0.0));
    EXPECT_TRUE(pipeline.heads[1].K->isZero(0.0));
    EXPECT_EQ(*pipeline.heads[0].V, pipeline.X.middleCols(2, 2));
    EXPECT_EQ(*pipeline.heads[1].V, pipeline.X.middleCols(0, 2));
  }
}

TEST(LessonPipeline, HasThreeOutputProjections) {
  EXPECT_EQ(lesson09::output_projection(lesson09::Projection::kMixing),
            (Matrix{{1, 0, 0, 0}, {0, 1, 0, 0}, {1, 0, -1, 0}, {0, 0, 0, 1}}));
  EXPECT_EQ(lesson09::output_projection(lesson09::Projection::kIdentity),
            (Matrix{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}));
  EXPECT_EQ(lesson09::output_projection(lesson09::Projection::kSwap),
            (Matrix{{0, 0, 1, 0}, {0, 0, 0, 1}, {1, 0, 0, 0}, {0, 1, 0, 0}}));
}

TEST(LessonPipeline, ComesOutAsTheLessonPrintsIt) {
  const attention::Layer pipeline = lesson09::two_head_pipeline(4, 3.0);
  Matrix O_concat(4, 4);
  attention::concat(pipeline, 0, O_concat);
  const Matrix printed_concat{{0.000000, 0.000000, 1.000000, 0.000000},
                              {0.000000, 0.000000, 0.500000, 0.500000},
                              {0.998277, 0.000000, 0.333333, 0.333333},
                              {0.001717, 0.996564, 0.250000, 0.250000}};
  EXPECT_LE((O_concat - printed_concat).cwiseAbs().maxCoeff(), 0.5e-6);
  Matrix O(4, 4);
  attention::project(O_concat, lesson09::output_projection(lesson09::Projection::kMixing), O);
  const Matrix printed{{1.000000, 0.000000, -1.000000, 0.000000},
                       {0.500000, 0.000000, -0.500000, 0.500000},
                       {1.331611, 0.000000, -0.333333, 0.333333},
                       {0.251717, 0.996564, -0.250000, 0.250000}};
  EXPECT_LE((O - printed).cwiseAbs().maxCoeff(), 0.5e-6);
}

TEST(LessonPipeline, PacksItsQueriesSideBySide) {
  const attention::Layer pipeline = lesson09::two_head_pipeline(4, 3.0);
  ASSERT_EQ(pipeline.W_Q.cols(), 4);
  EXPECT_EQ(pipeline.W_Q.leftCols(2), *pipeline.heads[0].Q);
  EXPECT_EQ(pipeline.W_Q.rightCols(2), *pipeline.heads[1].Q);
  EXPECT_EQ(analysis::slice_deviation(pipeline), 0.0);
}

TEST(LessonPipeline, TheSliceDeviationIsMeasured) {
  attention::Layer pipeline = lesson09::two_head_pipeline(4, 3.0);
  pipeline.X(0, 0) = 0.5;  // no longer one-hot: the first query is halved, 3·[cos π/2, sin π/2]
  EXPECT_NEAR(analysis::slice_deviation(pipeline), 1.5, 1e-15);
}

TEST(LessonExpectedNumbers, AreTheLessonsTableAndAllComeOut) {
  const std::vector<double> ones(6, 1.0);
  const std::map<std::string, std::vector<double>> table = {
      {"A4_row4", {0.25, 0.25, 0.25, 0.25, 0, 0}},
      {"row sums of A1", ones},
      {"row sums of A2", ones},
      {"row sums of A3", ones},
      {"row sums of A4", ones},
      {"O_concat(3, :)", {0.998, 0, 0.333, 0.333}},
      {"O(3, :)", {1.332, 0, -0.333, 0.333}},
      {"concat_shape", {4, 4}},
      {"out_shape", {4, 4}},
      {"slice_err", {0}},
      {"n_qkv", {48}},
      {"n_wo", {16}},
      {"n_tot", {64}},
      {"bank_err", {0}},
      {"rank(Q_h K_h'), heads 1-4", {1, 2, 2, 0}},
      {"flops_wide", {1073741824}},
      {"flops_narrow", {1073741824}},
      {"Hs(4, :)", {1.25, 0.47, 0.24, 2.00}},
      {"Hs(6, :)", {1.82, 0.47, 0.47, 2.58}},
  };
  std::map<std::string, std::vector<double>> stated;
  for (const lesson09::Check& check : lesson09::expected_numbers()) {
    SCOPED_TRACE(check.what);
    EXPECT_TRUE(stated.emplace(check.what, check.expected).second) << "stated twice";
    EXPECT_TRUE(check.ok());
    ASSERT_EQ(check.computed.size(), check.expected.size());
    // `ok` is not taken at its word: half a unit of the last decimal, or exact.
    const double tolerance = check.places == 0 ? 1e-12 : 0.51 * std::pow(10.0, -check.places);
    for (std::size_t i = 0; i < check.expected.size(); ++i) {
      EXPECT_NEAR(check.computed[i], check.expected[i], tolerance) << "value " << i;
    }
  }
  EXPECT_EQ(stated, table);
}

TEST(LessonCheck, IsOkWithinHalfAUnitOfTheLastDecimal) {
  const auto ok = [](double expected, int places, double computed) {
    return lesson09::Check{"", {expected}, places, {computed}}.ok();
  };
  EXPECT_TRUE(ok(1.25, 2, 1.2549));
  EXPECT_TRUE(ok(1.25, 2, 1.255));  // a tie may go either way
  EXPECT_FALSE(ok(1.25, 2, 1.2551));
  EXPECT_FALSE(ok(1.25, 2, 1.2449));
  EXPECT_TRUE(ok(48, 0, 48 + 1e-13));
  EXPECT_FALSE(ok(48, 0, 48 + 1e-11));
  EXPECT_FALSE(ok(0, 0, std::nan("")));
  EXPECT_FALSE((lesson09::Check{"", {1, 1}, 0, {1}}.ok()));
  EXPECT_FALSE((lesson09::Check{"", {1}, 0, {1, 1}}.ok()));
}

TEST(VerifyCommand, IsNotOkWhenACheckIsNot) {
  const report::Report bad = commands::verify({{"n_wo", {16}, 0, {16}}, {"n_tot", {64}, 0, {65}}});
  EXPECT_FALSE(bad.ok);
  EXPECT_FALSE(report::Document(bad).ok());
  std::ostringstream json;
  render::json(bad, json);
  EXPECT_NE(
      json.str().find(
          "\"what\": \"n_tot\",\n        \"expected\": 64.0,\n        \"computed\": 65.0,\n        \"ok\": false"),
      std::string::npos)
      << json.str();
  std::ostringstream text;
  render::text(bad, false, text);
  EXPECT_NE(text.str().find("65.000000000000  NOT OK"), std::string::npos) << text.str();
  EXPECT_TRUE(commands::verify().ok);
}

}  // namespace
}  // namespace mha::test
