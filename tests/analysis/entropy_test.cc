#include "analysis/entropy.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "attention/causal_attention.h"
#include "lessons/09-multi-head-attention/lesson.h"
#include "tests/support/lesson_heads.h"
#include "tests/support/random.h"

namespace mha::test {
namespace {

using analysis::entropy_bits;

/// The entropies of all rows, from the scores.
Matrix bits_from_scores(const Matrix& Q, const Matrix& K) {
  Matrix bits(Q.rows(), 1);
  analysis::row_entropies_bits(attention::head_of(Q, K), 0, bits);
  return bits;
}

TEST(EntropyBits, AnImpossiblePositionCountsNothing) {
  EXPECT_NEAR(entropy_bits(std::array{1.0, 0.0, 0.0}), 0.0, 1e-12);
  EXPECT_NEAR(entropy_bits(std::array{0.5, 0.5, 0.0}), 1.0, 1e-12);
  EXPECT_NEAR(entropy_bits(std::array{0.25, 0.25, 0.5}), 1.5, 1e-12);
}

TEST(EntropyBits, AreBitsAndNotNats) {
  EXPECT_NEAR(entropy_bits(std::array{0.25, 0.25, 0.25, 0.25}), 2.0, 1e-12);
}

TEST(EntropyBits, OfACertainRowIsZeroWithoutASign) {
  for (const std::vector<double>& row : {std::vector{1.0}, {1.0, 0.0}, {0.0, 0.0, 1.0}}) {
    const double bits = entropy_bits(row);
    EXPECT_EQ(bits, 0.0);
    EXPECT_FALSE(std::signbit(bits)) << "a row of " << row.size();
  }
}

TEST(EntropyBits, OfAnEvenRowIsItsCeiling) {
  for (std::size_t n = 1; n <= 200; ++n) {
    const std::vector<double> row(n, 1.0 / static_cast<double>(n));
    const double ceiling = std::log2(static_cast<double>(n));
    EXPECT_NEAR(entropy_bits(row), ceiling, 1e-12) << "n = " << n;
    EXPECT_LE(entropy_bits(row), ceiling) << "n = " << n;
  }
}

TEST(EntropyBits, StayWithinTheirBoundsForRandomRows) {
  std::mt19937 engine(21);
  std::exponential_distribution<double> exponential;
  for (int round = 0; round < 2000; ++round) {
    std::vector<double> row(static_cast<std::size_t>(random_size(1, 30, engine)));
    double sum = 0.0;
    // A high power makes some rows all but certain, others all but even.
    const double power = std::pow(10.0, std::uniform_real_distribution<double>(-8.0, 2.0)(engine));
    for (double& p : row) sum += (p = std::pow(exponential(engine), power));
    for (double& p : row) p /= sum;
    const double bits = entropy_bits(row);
    EXPECT_GE(bits, 0.0) << "round " << round;
    EXPECT_LE(bits, std::log2(static_cast<double>(row.size()))) << "round " << round;
  }
}

TEST(EntropyBits, DoNotDependOnTheOrderOfThePositions) {
  EXPECT_NEAR(entropy_bits(std::array{0.1, 0.2, 0.7}), entropy_bits(std::array{0.7, 0.1, 0.2}), 1e-15);
}

TEST(RowEntropies, OfZeroScoresAreTheCeilingOfEachRow) {
  const Matrix bits = bits_from_scores(Matrix::Zero(4, 2), Matrix::Zero(4, 2));
  EXPECT_NEAR(bits(0, 0), 0.0, 1e-12);
  EXPECT_NEAR(bits(1, 0), 1.0, 1e-12);
  EXPECT_NEAR(bits(2, 0), 1.584962500721156, 1e-12);
  EXPECT_NEAR(bits(3, 0), 2.0, 1e-12);
}

TEST(RowEntropies, OfTheLessonsHeadsStayWithinTheirBoundsAtAnyGain) {
  for (const double gain : {0.0, 1e-6, 3.0, 1e6, 1e12}) {
    for (int number = 1; number <= lesson09::kHeads; ++number) {
      for (const Index T : {1, 2, 6, 9, 128, 200}) {
        const LessonHead head = lesson_head(number, T, gain);
        const Matrix bits = bits_from_scores(head.Q, head.K);
        for (Index t = 1; t <= T; ++t) {
          SCOPED_TRACE(testing::Message() << "gain " << gain << ", head " << number << ", t = " << t);
          EXPECT_GE(bits(t - 1, 0), 0.0);
          EXPECT_FALSE(std::signbit(bits(t - 1, 0)));
          EXPECT_LE(bits(t - 1, 0), std::log2(static_cast<double>(t)));
        }
      }
    }
  }
}

TEST(RowEntropies, FromScoresAgreeWithThoseOfTheWeights) {
  std::mt19937 engine(22);
  for (int round = 0; round < 50; ++round) {
    const Index T = random_size(1, 30, engine);
    const Matrix Q = random_matrix(T, 3, engine, 2.0);
    const Matrix K = random_matrix(T, 3, engine, 2.0);
    Matrix A(T, T);
    attention::attention_weights(Q, K, 0, A);
    const Matrix bits = bits_from_scores(Q, K);
    for (Index t = 0; t < T; ++t) {
      const double of_weights = entropy_bits({A.row(t).data(), static_cast<std::size_t>(T)});
      EXPECT_NEAR(bits(t, 0), of_weights, 1e-12) << "T = " << T << ", row " << t;
    }
  }
}

TEST(RowEntropies, OfABlockOfRowsAreThoseOfTheWhole) {
  std::mt19937 engine(23);
  const Matrix Q = random_matrix(20, 2, engine);
  const Matrix K = random_matrix(20, 2, engine);
  const Matrix all = bits_from_scores(Q, K);
  for (Index first = 0; first < 20; ++first) {
    Matrix some(20 - first, 1);
    analysis::row_entropies_bits(attention::head_of(Q, K), first, some);
    EXPECT_EQ(some, all.bottomRows(20 - first)) << "from row " << first;
  }
}

}  // namespace
}  // namespace mha::test
