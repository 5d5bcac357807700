// What holds of the weights beside what every kernel is tested for, in kernel_test.cc.
#include "attention/causal_attention.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "lessons/09-multi-head-attention/lesson.h"
#include "tests/support/lesson_heads.h"
#include "tests/support/random.h"

namespace mha::test {
namespace {

Matrix weights(const Matrix& Q, const Matrix& K) {
  Matrix A(Q.rows(), Q.rows());
  attention::attention_weights(Q, K, 0, A);
  return A;
}

TEST(AttentionWeights, EveryRowSumsToOneAndNothingMaskedIsSeenAtAnyGain) {
  std::vector<double> gains = {0.0, 1e-6, 3.0};
  for (int decade = 0; decade <= 12; ++decade) gains.push_back(std::pow(10.0, decade));
  for (const double gain : gains) {
    for (int number = 1; number <= lesson09::kHeads; ++number) {
      for (const Index T : {1, 2, 3, 6, 7, 8, 9, 64, 129}) {
        const LessonHead head = lesson_head(number, T, gain);
        const Matrix A = weights(head.Q, head.K);
        SCOPED_TRACE(testing::Message() << "gain " << gain << ", head " << number << ", T = " << T);
        EXPECT_TRUE(A.allFinite());
        EXPECT_LE((A.rowwise().sum().array() - 1.0).abs().maxCoeff(), 1e-12);
        EXPECT_GE(A.minCoeff(), 0.0);
        EXPECT_TRUE(A.triangularView<Eigen::StrictlyUpper>().toDenseMatrix().isZero(0.0));
      }
    }
  }
}

TEST(AttentionWeights, MaskedKeysGetNothingHoweverLargeTheirScores) {
  const Matrix Q = Matrix::Ones(3, 1);
  const Matrix K{{0.0}, {1e300}, {1.7e308}};
  const Matrix A = weights(Q, K);
  EXPECT_EQ(A, (Matrix{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}));
}

TEST(AttentionWeights, ScoresAtBothEndsOfTheRangeOfDoubleStayFinite) {
  const Matrix Q = Matrix::Ones(3, 1);
  const Matrix K{{-1.7e308}, {1.7e308}, {1.7e308}};
  EXPECT_EQ(weights(Q, K), (Matrix{{1, 0, 0}, {0, 1, 0}, {0, 0.5, 0.5}}));
}

TEST(AttentionWeights, AreScaledByTheRootOfTheHeadsOwnWidth) {
  Matrix K = Matrix::Zero(2, 16);
  K.row(0).setOnes();
  // 16/√16 = 4 against 0.
  EXPECT_NEAR(weights(Matrix::Ones(2, 16), K)(1, 0), 0.982013790038, 1e-9);
  Matrix Q_wide = Matrix::Zero(2, 64);
  Q_wide.leftCols(16).setOnes();
  Matrix K_wide = Matrix::Zero(2, 64);
  K_wide.row(0).leftCols(16).setOnes();
  // The same product in a head four times as wide: 16/√64 = 2.
  EXPECT_NEAR(weights(Q_wide, K_wide)(1, 0), 0.880797077978, 1e-9);
}

TEST(AttentionWeights, TheUniformRowOf128TokensIsExactlyOneIn128) {
  const Matrix zero = Matrix::Zero(128, 2);
  Matrix row(1, 128);
  attention::attention_weights(zero, zero, 127, row);
  EXPECT_EQ(row, Matrix::Constant(1, 128, 0.0078125));
}

TEST(LargestScoreBound, BoundsEveryScore) {
  std::mt19937 engine(3);
  for (int round = 0; round < 200; ++round) {
    const Matrix Q = random_matrix(random_size(1, 20, engine), 4, engine);
    const Matrix K = random_matrix(random_size(1, 20, engine), 4, engine);
    EXPECT_GE(attention::largest_score_bound(Q, K) * (1 + 1e-15), (Q * K.transpose()).cwiseAbs().maxCoeff())
        << "round " << round;
  }
}

TEST(LargestScoreBound, IsInfiniteWhereAScoreOverflowsAndOnlyThere) {
  const Matrix huge = Matrix::Constant(2, 1, -1e200);
  EXPECT_EQ(attention::largest_score_bound(huge, huge), std::numeric_limits<double>::infinity());
  EXPECT_DOUBLE_EQ(attention::largest_score_bound(huge, Matrix::Constant(2, 1, 1e-200)), 1.0);
  // Large keys in a column that no query asks for.
  EXPECT_EQ(attention::largest_score_bound(Matrix{{0.0, 1.0}}, Matrix{{1e308, 2.0}}), 2.0);
}

}  // namespace
}  // namespace mha::test
