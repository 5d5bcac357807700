#include "analysis/rank.h"

#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "lessons/09-multi-head-attention/lesson.h"
#include "tests/support/lesson_heads.h"
#include "tests/support/random.h"

namespace mha::test {
namespace {

using analysis::NumericalRank;
using analysis::rank_of_product;

/// The rule as it is stated: singular values above max(rows, cols) · s_max · ε.
void expect_rank_by_the_rule(const NumericalRank& found, Index rows, Index cols) {
  const std::vector<double>& s = found.singular_values;
  EXPECT_DOUBLE_EQ(found.tolerance, static_cast<double>(std::max(rows, cols)) * s.front() *
                                        std::numeric_limits<double>::epsilon());
  EXPECT_EQ(found.rank, std::count_if(s.begin(), s.end(), [&](double v) { return v > found.tolerance; }));
  EXPECT_TRUE(std::is_sorted(s.rbegin(), s.rend()));
}

TEST(RankOfProduct, OfPlainMatricesIsTheSameOnEveryMachine) {
  const Matrix I2 = Matrix::Identity(2, 2);
  EXPECT_EQ(rank_of_product(Matrix{{1, 1}, {1, 1}}, I2).rank, 1);
  EXPECT_EQ(rank_of_product(Matrix{{1.5, 1.75}, {1.5, 1.75}}, I2).rank, 1);
  EXPECT_EQ(rank_of_product(Matrix::Zero(3, 3), Matrix::Identity(3, 3)).rank, 0);
  EXPECT_EQ(rank_of_product(Matrix{{-0.2}, {0.8}, {0.4}}, Matrix{{0.5}, {0.5}, {0.7}}).rank, 1);
}

/// The second singular value is 0, and what is computed of it rounding: 1.4e-16 with LAPACK.
TEST(RankOfProduct, OfEqualRowsHasASecondSingularValueOfRoundingAlone) {
  const NumericalRank found = rank_of_product(Matrix{{1.5, 1.75}, {1.5, 1.75}}, Matrix::Identity(2, 2));
  EXPECT_NEAR(found.singular_values.at(0), std::sqrt(2.0 * (1.5 * 1.5 + 1.75 * 1.75)), 1e-14);
  EXPECT_NEAR(found.singular_values.at(1), 0.0, 4.5e-16);
  expect_rank_by_the_rule(found, 2, 2);
}

TEST(RankOfProduct, SeesASingularValueThatSquaringWouldLose) {
  const NumericalRank found = rank_of_product(Matrix{{1, 1}, {1, 1.000000001}}, Matrix::Identity(2, 2));
  EXPECT_EQ(found.rank, 2);
  // s_1 s_2 is the determinant, 1e-9 up to the rounding of 1.000000001, and s_1 is 2.
  EXPECT_NEAR(found.singular_values.at(1), 5.0e-10, 1e-15);
}

TEST(RankOfProduct, DoesNotCountRoundingNoise) {
  const Matrix Q{{0.8, 0.5}, {-0.7, -0.5}, {-0.4, 0.6}};
  const Matrix K{{0.2, 0.4}, {0.7, 0.0}, {0.8, -0.6}};
  const NumericalRank found = rank_of_product(Q, K);
  EXPECT_EQ(found.rank, 2);
  EXPECT_NEAR(found.singular_values.at(0), 1.11437709, 1e-8);
  EXPECT_NEAR(found.singular_values.at(1), 0.553772251, 1e-9);
  expect_rank_by_the_rule(found, 3, 3);
}

TEST(RankOfProduct, FollowsTheRuleThatItStatesInTheBorderCase) {
  // 6e-16 lies between ε(s_max) · 2 = 4.44e-16 and 2 · s_max · ε = 8.44e-16.
  const NumericalRank found = rank_of_product(Matrix{{1.9, 0}, {0, 6e-16}}, Matrix::Identity(2, 2));
  EXPECT_EQ(found.rank, 1);
  EXPECT_NEAR(found.tolerance, 8.44e-16, 1e-18);
  expect_rank_by_the_rule(found, 2, 2);
}

/// The rank of a matrix of whole numbers, by elimination without fractions (Bareiss): exact.
Index exact_rank(Eigen::Matrix<std::int64_t, Eigen::Dynamic, Eigen::Dynamic> M) {
  Index rank = 0;
  std::int64_t previous = 1;
  for (Index c = 0; c < M.cols() && rank < M.rows(); ++c) {
    Index pivot = rank;
    while (pivot < M.rows() && M(pivot, c) == 0) ++pivot;
    if (pivot == M.rows()) continue;
    M.row(rank).swap(M.row(pivot));
    for (Index r = rank + 1; r < M.rows(); ++r) {
      for (Index k = c + 1; k < M.cols(); ++k) {
        M(r, k) = (M(rank, c) * M(r, k) - M(r, c) * M(rank, k)) / previous;
      }
      M(r, c) = 0;
    }
    previous = M(rank, c);
    ++rank;
  }
  return rank;
}

TEST(RankOfProduct, IsTheExactRankOfMatricesOfOneDecimal) {
  std::mt19937 engine(31);
  std::uniform_int_distribution<std::int64_t> tenths(-10, 10);
  for (int round = 0; round < 1000; ++round) {
    const Index T = random_size(3, 8, engine);
    const Index d_k = random_size(1, 3, engine);
    // Every third round the columns are alike up to a factor, so that deficient products come up too.
    const bool deficient = round % 3 == 0;
    Eigen::Matrix<std::int64_t, Eigen::Dynamic, Eigen::Dynamic> Q(T, d_k);
    Eigen::Matrix<std::int64_t, Eigen::Dynamic, Eigen::Dynamic> K(T, d_k);
    for (Index r = 0; r < T; ++r) {
      for (Index c = 0; c < d_k; ++c) {
        Q(r, c) = deficient && c > 0 ? -Q(r, 0) : tenths(engine);
        K(r, c) = tenths(engine);
      }
    }
    const NumericalRank found = rank_of_product(Q.cast<double>() / 10.0, K.cast<double>() / 10.0);
    SCOPED_TRACE(testing::Message() << "round " << round << ", T = " << T << ", d_k = " << d_k);
    EXPECT_LE(found.rank, d_k);
    EXPECT_EQ(found.rank, exact_rank(Q * K.transpose()));
    expect_rank_by_the_rule(found, T, T);
  }
}

TEST(RankOfProduct, OfTheLessonsHeadsDoesNotDependOnTheGain) {
  for (const double gain : {1e-300, 1e-150, 1e-6, 1.0, 3.0, -3.0, 1e6, 1e150}) {
    for (Index T = 1; T <= 40; ++T) {
      // Heads 2 and 3 lie on a circle: with one or two tokens its points are on one line through 0.
      const Index circle = T < 3 ? 1 : 2;
      const std::vector<Index> expected = {1, circle, circle, 0};
      for (int number = 1; number <= lesson09::kHeads; ++number) {
        const LessonHead head = lesson_head(number, T, gain);
        EXPECT_EQ(rank_of_product(head.Q, head.K).rank, expected[static_cast<std::size_t>(number - 1)])
            << "gain " << gain << ", T = " << T << ", head " << number;
      }
    }
  }
}

TEST(RankOfProduct, OfTheLessonsHeadsWithoutGainIsZero) {
  for (int number = 1; number <= lesson09::kHeads; ++number) {
    const LessonHead head = lesson_head(number, 6, 0.0);
    EXPECT_EQ(rank_of_product(head.Q, head.K).rank, 0) << "head " << number;
  }
}

TEST(RankOfProduct, HasTheSingularValuesOfTheProductWrittenOut) {
  std::mt19937 engine(32);
  for (int round = 0; round < 100; ++round) {
    const Index m = random_size(1, 20, engine);
    const Index n = random_size(1, 20, engine);
    const Index d = random_size(1, 6, engine);
    const Matrix L = random_matrix(m, d, engine, 5.0);
    const Matrix R = random_matrix(n, d, engine, 0.1);
    const NumericalRank found = rank_of_product(L, R);
    const Eigen::VectorXd whole =
        Eigen::JacobiSVD<Eigen::MatrixXd>(Eigen::MatrixXd(L * R.transpose())).singularValues();
    const double rounding = 1e-14 * L.norm() * R.norm();
    SCOPED_TRACE(testing::Message() << m << " x " << d << " times " << d << " x " << n);
    ASSERT_EQ(static_cast<Index>(found.singular_values.size()), std::min({m, n, d}));
    for (std::size_t i = 0; i < found.singular_values.size(); ++i) {
      EXPECT_NEAR(found.singular_values[i], whole[static_cast<Index>(i)], rounding) << "value " << i;
    }
    expect_rank_by_the_rule(found, m, n);

    const NumericalRank transposed = rank_of_product(R, L);
    EXPECT_EQ(transposed.rank, found.rank);
    for (std::size_t i = 0; i < found.singular_values.size(); ++i) {
      EXPECT_NEAR(transposed.singular_values.at(i), found.singular_values[i], rounding) << "value " << i;
    }
  }
}

}  // namespace
}  // namespace mha::test
