#include "attention/kernel/kernel.h"

#include <gtest/gtest.h>

#include <cctype>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "analysis/entropy.h"
#include "attention/causal_attention.h"
#include "attention/multi_head.h"
#include "attention/threads.h"
#include "tests/support/random.h"
#include "tests/support/reference.h"

namespace mha::test {
namespace {

using attention::kernel::Kernel;

/// Every test runs once for each instruction set that this processor has, by its name.
class EveryKernel : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    for (const Kernel* kernel : attention::kernel::kernels()) {
      if (kernel->name == GetParam()) attention::kernel::use(kernel);
    }
    ASSERT_EQ(attention::kernel::chosen().name, GetParam());
  }
  void TearDown() override {
    attention::kernel::use(nullptr);
    attention::set_threads(0);
  }
};

std::vector<std::string> kernel_names() {
  std::vector<std::string> names;
  for (const Kernel* kernel : attention::kernel::kernels()) names.emplace_back(kernel->name);
  return names;
}

std::string letters_and_digits(const testing::TestParamInfo<std::string>& info) {
  std::string name;
  for (const char c : info.param) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) name += c;
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(Kernel, EveryKernel, testing::ValuesIn(kernel_names()), letters_and_digits);

TEST(Kernels, TheBestComesFirstAndScalarIsAlwaysThere) {
  const std::vector<std::string> names = kernel_names();
  EXPECT_EQ(attention::kernel::chosen().name, names.front());
  const std::vector<std::string> all = {"AVX-512", "AVX2", "SSE4", "scalar"};
#if defined(__x86_64__)
  // A processor that has one of them has the rest.
  EXPECT_EQ(names,
            std::vector<std::string>(all.end() - static_cast<std::ptrdiff_t>(names.size()), all.end()));
#endif
  EXPECT_EQ(names.back(), "scalar");
}

Matrix kernel_weights(const Matrix& Q, const Matrix& K) {
  Matrix A = Matrix::Constant(Q.rows(), Q.rows(), 7.0);
  attention::attention_weights(Q, K, 0, A);
  return A;
}

Matrix kernel_output(const Matrix& Q, const Matrix& K, const Matrix& V) {
  Matrix O = Matrix::Constant(Q.rows(), V.cols(), 7.0);
  attention::head_output(Q, K, V, 0, O);
  return O;
}

Matrix entropies(const Matrix& Q, const Matrix& K) {
  Matrix bits = Matrix::Constant(Q.rows(), 1, 7.0);
  analysis::row_entropies_bits(attention::head_of(Q, K), 0, bits);
  return bits;
}

double distance(const Matrix& a, const Matrix& b) { return (a - b).cwiseAbs().maxCoeff(); }

/// A size near an edge: of a vector, a tile, a panel, a block of keys.
Index size_near_an_edge(std::mt19937& engine, Index most) {
  const Index edges[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 48, 64, 128, 192, 256};
  Index size = most + 1;
  while (size > most) size = edges[random_size(0, 13, engine)] + random_size(-1, 1, engine);
  return std::max<Index>(size, 1);
}

TEST_P(EveryKernel, EqualsTheSlowReference) {
  std::mt19937 engine(7);
  for (int round = 0; round < 40; ++round) {
    const Index T = size_near_an_edge(engine, round < 36 ? 70 : 300);
    const Index d_k = size_near_an_edge(engine, round < 36 ? 70 : 300);
    const Index d_v = size_near_an_edge(engine, 70);
    SCOPED_TRACE("T = " + std::to_string(T) + ", d_k = " + std::to_string(d_k) +
                 ", d_v = " + std::to_string(d_v));
    // Scores of a few units whatever d_k is.
    const Matrix Q = random_matrix(T, d_k, engine, 2.0);
    const Matrix K = random_matrix(T, d_k, engine, 2.0);
    const Matrix V = random_matrix(T, d_v, engine);
    ASSERT_LE(distance(kernel_weights(Q, K), reference_weights(Q, K)), 1e-13);
    ASSERT_LE(distance(kernel_output(Q, K, V), reference_output(Q, K, V)), 1e-13);
    ASSERT_LE(distance(entropies(Q, K), reference_entropies(Q, K)), 1e-13);
  }
}

TEST_P(EveryKernel, EqualsTheSlowReferenceWhereTheLargestScoreComesLast) {
  // The running maximum rises with every key, so that every earlier sum must be shrunk every time.
  const Index T = 300;
  std::mt19937 engine(8);
  Matrix Q = Matrix::Ones(T, 1);
  Matrix K(T, 1);
  for (Index i = 0; i < T; ++i) K(i, 0) = 0.03 * static_cast<double>(i);
  const Matrix V = random_matrix(T, 3, engine);
  EXPECT_LE(distance(kernel_weights(Q, K), reference_weights(Q, K)), 1e-13);
  EXPECT_LE(distance(kernel_output(Q, K, V), reference_output(Q, K, V)), 1e-13);
  EXPECT_LE(distance(entropies(Q, K), reference_entropies(Q, K)), 1e-13);
}

TEST_P(EveryKernel, ABlockOfRowsIsTheSameRowsOfTheWholeBitForBit) {
  std::mt19937 engine(9);
  const Index T = 290;
  const Matrix Q = random_matrix(T, 5, engine);
  const Matrix K = random_matrix(T, 5, engine);
  const Matrix V = random_matrix(T, 11, engine);
  const Matrix W_O = random_matrix(11, 7, engine);
  const std::vector<attention::Head> heads = {attention::head_of(Q, K, V)};
  const Matrix A = kernel_weights(Q, K);
  const Matrix O = kernel_output(Q, K, V);
  const Matrix bits = entropies(Q, K);
  const auto projected_rows = [&](Index first, Index n) {
    Matrix O_concat(n, 11);
    attention::concat(heads, first, O_concat);
    Matrix rows(n, 7);
    attention::project(O_concat, W_O, rows);
    return rows;
  };
  const Matrix projected = projected_rows(0, T);
  for (int round = 0; round < 40; ++round) {
    const Index first = random_size(0, T - 1, engine);
    const Index n = std::min(size_near_an_edge(engine, 140), T - first);
    SCOPED_TRACE("rows " + std::to_string(first) + " to " + std::to_string(first + n - 1));
    Matrix A_block(n, T);
    attention::attention_weights(Q, K, first, A_block);
    EXPECT_EQ(A_block, A.middleRows(first, n));
    Matrix O_block(n, 11);
    attention::head_output(Q, K, V, first, O_block);
    EXPECT_EQ(O_block, O.middleRows(first, n));
    Matrix bits_block(n, 1);
    analysis::row_entropies_bits(attention::head_of(Q, K), first, bits_block);
    EXPECT_EQ(bits_block, bits.middleRows(first, n));
    EXPECT_EQ(projected_rows(first, n), projected.middleRows(first, n));
  }
}

TEST_P(EveryKernel, TheNumberOfThreadsChangesNoBit) {
  std::mt19937 engine(10);
  // Enough work for several threads to be started.
  const Index T = 700;
  const Matrix Q = random_matrix(T, 16, engine);
  const Matrix K = random_matrix(T, 16, engine);
  const Matrix V = random_matrix(T, 16, engine);
  attention::set_threads(1);
  const Matrix A = kernel_weights(Q, K);
  const Matrix O = kernel_output(Q, K, V);
  const Matrix bits = entropies(Q, K);
  for (const int count : {2, 3, 7}) {
    attention::set_threads(count);
    EXPECT_EQ(kernel_weights(Q, K), A) << count;
    EXPECT_EQ(kernel_output(Q, K, V), O) << count;
    EXPECT_EQ(entropies(Q, K), bits) << count;
  }
}

TEST_P(EveryKernel, AColumnDoesNotDependOnItsNeighbours) {
  std::mt19937 engine(11);
  const Index T = 150;
  const Matrix Q = random_matrix(T, 3, engine);
  const Matrix K = random_matrix(T, 3, engine);
  const Matrix V = random_matrix(T, 19, engine);
  const Matrix O = kernel_output(Q, K, V);
  for (Index first = 0; first < 19; ++first) {
    for (const Index d_v : {Index{1}, Index{2}, Index{5}}) {
      if (first + d_v > 19) continue;
      EXPECT_EQ(kernel_output(Q, K, V.middleCols(first, d_v)), O.middleCols(first, d_v))
          << first << ", " << d_v;
    }
  }
}

TEST_P(EveryKernel, EqualScoresGiveEqualWeightsExactly) {
  const Index T = 400;
  const Matrix Q = Matrix::Constant(T, 2, 0.3);
  const Matrix K = Matrix::Constant(T, 2, 1.7);
  const Matrix A = kernel_weights(Q, K);
  const Matrix bits = entropies(Q, K);
  const Matrix O = kernel_output(Q, K, Matrix::Ones(T, 1));
  for (Index t = 0; t < T; ++t) {
    const auto n = static_cast<double>(t + 1);
    EXPECT_TRUE((A.row(t).head(t + 1).array() == 1.0 / n).all()) << t;
    EXPECT_EQ(bits(t, 0), std::log2(n)) << t;
    EXPECT_EQ(O(t, 0), 1.0) << t;
  }
}

TEST_P(EveryKernel, MaskedWeightsAreZeroAndRowsSumToOne) {
  std::mt19937 engine(12);
  for (const double scale : {0.1, 1.0, 30.0, 1e6, 1e12}) {
    const Index T = 333;
    const Matrix A = kernel_weights(random_matrix(T, 4, engine, scale), random_matrix(T, 4, engine, scale));
    for (Index t = 0; t < T; ++t) {
      EXPECT_TRUE((A.row(t).tail(T - t - 1).array() == 0.0).all()) << t;
      EXPECT_TRUE((A.row(t).array() >= 0.0).all()) << t;
      EXPECT_NEAR(A.row(t).sum(), 1.0, 1e-12) << scale << ", " << t;
    }
  }
}

TEST_P(EveryKernel, KeysAboveTheDiagonalAreNeverTouched) {
  std::mt19937 engine(13);
  const Index T = 140;
  const Matrix Q = random_matrix(T, 3, engine);
  const Matrix K = random_matrix(T, 3, engine);
  const Matrix V = random_matrix(T, 9, engine);
  const Matrix A = kernel_weights(Q, K);
  const Matrix O = kernel_output(Q, K, V);
  const Matrix bits = entropies(Q, K);
  for (const Index seen : {1, 6, 101, 139}) {
    Matrix K_poisoned = K;
    Matrix V_poisoned = V;
    K_poisoned.bottomRows(T - seen).setConstant(std::numeric_limits<double>::quiet_NaN());
    V_poisoned.bottomRows(T - seen).setConstant(std::numeric_limits<double>::infinity());
    EXPECT_EQ(kernel_weights(Q, K_poisoned).topRows(seen), A.topRows(seen)) << seen;
    EXPECT_EQ(kernel_output(Q, K_poisoned, V_poisoned).topRows(seen), O.topRows(seen)) << seen;
    EXPECT_EQ(entropies(Q, K_poisoned).topRows(seen), bits.topRows(seen)) << seen;
  }
}

TEST_P(EveryKernel, ExtremeScoresGiveNoNaN) {
  const Index T = 200;
  std::mt19937 engine(14);
  for (const double scale : {1e12, 1e150}) {
    const Matrix Q = random_matrix(T, 2, engine, scale);
    const Matrix K = random_matrix(T, 2, engine, scale);
    EXPECT_TRUE(kernel_weights(Q, K).allFinite());
    EXPECT_TRUE(kernel_output(Q, K, Q).allFinite());
    const Matrix bits = entropies(Q, K);
    EXPECT_TRUE((bits.array() >= 0.0).all() && (bits.array() <= std::log2(200.0)).all());
  }
  // Differences of scores that overflow, and weights just above and below the smallest double.
  Matrix Q = Matrix::Ones(4, 1);
  Matrix K(4, 1);
  K << -1.7e308, -708.0, 0.0, -745.0;
  const Matrix A = kernel_weights(Q, K);
  EXPECT_EQ(A(0, 0), 1.0);
  EXPECT_EQ(A(1, 0), 0.0);
  EXPECT_EQ(A(1, 1), 1.0);
  EXPECT_NEAR(A(2, 1) / std::exp(-708.0), 1.0, 1e-13);
  EXPECT_LE(A(3, 3), 5e-324);
  EXPECT_EQ(entropies(Q, K)(1, 0), 0.0);
  EXPECT_FALSE(std::signbit(entropies(Q, K)(1, 0)));
}

TEST_P(EveryKernel, SmallWeightsKeepTheirRelativeAccuracy) {
  // Two units in the last place with fused multiply-adds; without, the exponent's own rounding shows.
  const bool fused = GetParam().starts_with("AVX");
  const double tolerance = fused ? 5e-16 : 1e-13;
  std::mt19937 engine(15);
  std::uniform_real_distribution<double> fall(0.0, 700.0);
  for (const Index d_k : {1, 2, 3, 5, 6, 7}) {
    const long double root = std::sqrt(static_cast<long double>(d_k));
    const Matrix Q = Matrix::Ones(2, d_k);
    Matrix K = Matrix::Zero(2, d_k);
    for (int round = 0; round < 1000; ++round) {
      K(1, 0) = -fall(engine) * static_cast<double>(root);
      const long double e = std::exp(K(1, 0) / root);
      const auto expected = static_cast<double>(e / (1.0L + e));
      ASSERT_NEAR(kernel_weights(Q, K)(1, 1) / expected, 1.0, tolerance)
          << "d_k = " << d_k << ", " << K(1, 0);
    }
  }
}

TEST_P(EveryKernel, LargeScoresThatDifferByOneKeepTheirAccuracy) {
  Matrix Q(3, 1);
  Matrix K(3, 1);
  Q << 0, 0, 1;
  K << 1000, 999, 0;
  const Matrix A = kernel_weights(Q, K);
  EXPECT_NEAR(A(2, 0), 0.7310585786300049, 1e-15);
  EXPECT_NEAR(A(2, 1), 0.2689414213699951, 1e-15);
  EXPECT_EQ(A(2, 2), 0.0);
}

}  // namespace
}  // namespace mha::test
