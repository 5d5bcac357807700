// Exercise 4's judge, which any design may come before.
#include "lessons/09-multi-head-attention/exercises/exercises.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <stdexcept>
#include <string>

#include "tests/support/random.h"
#include "tests/support/reference.h"
#include "tests/support/refusal.h"

namespace mha::test {
namespace {

using lesson09::Answer;

using Weights = std::array<double, 4>;

bool judged_right(const Answer& answer) {
  bool ok = true;
  for (const lesson09::Finding& finding : lesson09::two_positions().judge(answer).findings) {
    ok = ok && finding.ok;
  }
  return ok;
}

/// By how much the weights meet the words of the task, at the tightest of them; negative if they do not.
double margin(const Weights& w) {
  return std::min({w[0] - 0.4, w[2] - 0.4, 0.1 - w[1], 0.1 - w[3], 0.05 - std::abs(w[0] - w[2])});
}

/// A random (Q, K) of random size whose row 4 has these weights: each key is moved along the query until
/// its score is the logarithm of its weight.
Answer design(const Weights& w, std::mt19937& engine) {
  const Index T = random_size(4, 9, engine);
  const Index d_k = random_size(1, 8, engine);
  const Matrix Q = random_matrix(T, d_k, engine, 1.0);
  Matrix K = random_matrix(T, d_k, engine, 1.0);
  const auto q = Q.row(3);
  const double shift = std::normal_distribution<double>(0.0, 3.0)(engine);  // softmax does not see it
  for (Index i = 0; i < 4; ++i) {
    const double score =
        (std::log(w[static_cast<std::size_t>(i)]) + shift) * std::sqrt(static_cast<double>(d_k));
    K.row(i) += (score - q.dot(K.row(i))) / q.squaredNorm() * q;
  }
  return {{"Q", Q}, {"K", K}};
}

/// Four weights that sum to 1: near what the task asks for, or anywhere.
Weights random_weights(std::mt19937& engine) {
  std::uniform_real_distribution<double> unit(1e-6, 1.0);
  Weights w{};
  if (engine() % 2 == 0) {
    w[1] = 0.12 * unit(engine);
    w[3] = 0.12 * unit(engine);
    const double apart = 0.08 * (unit(engine) - 0.5);
    w[0] = (1.0 - w[1] - w[3]) / 2.0 + apart;
    w[2] = 1.0 - w[0] - w[1] - w[3];
    return w;
  }
  double sum = 0.0;
  for (double& x : w) sum += (x = -std::log(unit(engine)) + 1e-9);
  for (double& x : w) x /= sum;
  return w;
}

TEST(TwoPositions, AcceptsAThousandDesignsThatMeetTheWordsAndRefusesAThousandThatDoNot) {
  std::mt19937 engine(44);
  int accepted = 0;
  int refused = 0;
  int near_misses = 0;
  while (accepted < 1000 || refused < 1000) {
    const Answer answer = design(random_weights(engine), engine);
    const Matrix A = reference_weights(answer.at("Q"), answer.at("K"));
    const Weights w = {A(3, 0), A(3, 1), A(3, 2), A(3, 3)};
    const double by = margin(w);
    if (std::abs(by) < 1e-9) continue;  // rounding decides
    const bool meets = by > 0.0;
    ASSERT_EQ(judged_right(answer), meets) << w[0] << " " << w[1] << " " << w[2] << " " << w[3];
    ++(meets ? accepted : refused);
    if (!meets && by > -0.02) ++near_misses;
  }
  EXPECT_GT(near_misses, 100);
}

TEST(TwoPositions, AcceptsWeightsThatMeetEveryLimitOnTheNose) {
  std::mt19937 engine(45);
  for (int round = 0; round < 100; ++round) {
    EXPECT_TRUE(judged_right(design({0.4, 0.1, 0.4, 0.1}, engine)));
    EXPECT_TRUE(judged_right(design({0.45, 0.05, 0.4, 0.1}, engine)));
  }
}

TEST(TwoPositions, NamesEachThingThatIsOffAndByHowMuch) {
  std::mt19937 engine(46);
  const auto findings = lesson09::two_positions().judge(design({0.5, 0.02, 0.3, 0.18}, engine)).findings;
  ASSERT_EQ(findings.size(), 5U);
  EXPECT_EQ(findings[0].text, "position 1 has 0.500000, at least 0.4");
  EXPECT_EQ(findings[1].text, "position 2 has 0.020000, at most 0.1");
  EXPECT_EQ(findings[2].text, "position 3 has 0.300000, short of 0.4 by 0.1");
  EXPECT_EQ(findings[3].text, "position 4 has 0.180000, above 0.1 by 0.08");
  EXPECT_EQ(findings[4].text, "positions 1 and 3 are 0.200000 apart, more than 0.05 by 0.15");
}

TEST(TwoPositions, LooksAtRow4Alone) {
  std::mt19937 engine(47);
  Answer answer = design({0.48, 0.02, 0.48, 0.02}, engine);
  while (answer["Q"].rows() < 6) answer = design({0.48, 0.02, 0.48, 0.02}, engine);
  answer["Q"].row(4).setConstant(1e300);
  answer["K"].row(4).setConstant(1e300);
  EXPECT_TRUE(judged_right(answer)) << "scores of later rows are not asked for";
}

TEST(TwoPositions, SpendsOneBitAndWhatTheOthersAdd) {
  const lesson09::Solution solution = lesson09::two_positions().solve();
  const Matrix A = reference_weights(solution.answer.at("Q"), solution.answer.at("K"));
  double bits = 0.0;
  for (Index i = 0; i < 4; ++i) bits -= A(3, i) * std::log2(A(3, i));
  EXPECT_GT(bits, 1.0);
  EXPECT_NEAR(std::get<double>(solution.numbers.at(1).value.data), bits, 1e-12);
  EXPECT_EQ(std::get<double>(solution.numbers.at(2).value.data), 0.0);
}

TEST(TwoPositions, RefusesShapesThatAreNoHead) {
  const auto refused = [](const Matrix& Q, const Matrix& K) {
    return refusal<std::invalid_argument>([&] { lesson09::two_positions().judge({{"Q", Q}, {"K", K}}); });
  };
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "\"Q\" is 3 x 2",
                      refused(Matrix::Zero(3, 2), Matrix::Zero(3, 2)));
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "\"K\" is 4 x 1",
                      refused(Matrix::Zero(4, 2), Matrix::Zero(4, 1)));
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "\"K\" is 5 x 2",
                      refused(Matrix::Zero(4, 2), Matrix::Zero(5, 2)));
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "overflow",
                      refused(Matrix::Constant(4, 2, 1e200), Matrix::Constant(4, 2, 1e200)));
}

}  // namespace
}  // namespace mha::test
