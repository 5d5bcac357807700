// Which keys a query may see, for every instruction set: no mask, and as many queries as keys or not.
#include "attention/mask.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "analysis/entropy.h"
#include "attention/causal_attention.h"
#include "attention/kernel/kernel.h"
#include "attention/multi_head.h"
#include "tests/support/random.h"
#include "tests/support/reference.h"

namespace mha::test {
namespace {

using attention::Mask;

constexpr Index kMostSize = 300;

Matrix weights(const Matrix& Q, const Matrix& K, Mask mask) {
  Matrix A = Matrix::Constant(Q.rows(), K.rows(), 7.0);
  attention::attention_weights(Q, K, 0, A, mask);
  return A;
}

TEST(Mask, CountsTheKeysThatAQuerySees) {
  EXPECT_EQ(Mask::kCausal.visible(0, 6), 1);
  EXPECT_EQ(Mask::kCausal.visible(5, 6), 6);
  EXPECT_EQ(Mask::kCausal.visible(5, 4), 4);
  EXPECT_EQ(Mask::kNone.visible(0, 6), 6);
  EXPECT_EQ(Mask{-3}.visible(2, 2), 0);
  EXPECT_EQ(Mask{-3}.visible(3, 2), 1);
}

TEST(Mask, CountsTheQueriesThatSeeNoKey) {
  EXPECT_EQ(Mask::kCausal.without_keys(0, 6), 0);
  EXPECT_EQ(Mask::kNone.without_keys(0, 6), 0);
  EXPECT_EQ(Mask{-3}.without_keys(0, 2), 2);
  EXPECT_EQ(Mask{-3}.without_keys(0, 5), 3);
  EXPECT_EQ(Mask{-3}.without_keys(2, 5), 1);
  EXPECT_EQ(Mask{-3}.without_keys(3, 5), 0);
  for (const Index diagonal : {-7, -1, 0, 2}) {
    const Mask mask{diagonal};
    for (Index t = 0; t < 9; ++t)
      EXPECT_EQ(mask.without_keys(t, 1) == 1, mask.visible(t, 9) == 0) << diagonal << t;
  }
}

// Two libraries answer the same call differently: one lines the triangle up top-left, one bottom-right.
TEST(Mask, TwoQueriesAndFiveKeysEitherWay) {
  const Matrix Q = Matrix::Zero(2, 1);
  const Matrix K = Matrix::Zero(5, 1);
  EXPECT_EQ(weights(Q, K, {0}), (Matrix{{1, 0, 0, 0, 0}, {0.5, 0.5, 0, 0, 0}}));
  EXPECT_EQ(weights(Q, K, {3}), (Matrix{{0.25, 0.25, 0.25, 0.25, 0}, {0.2, 0.2, 0.2, 0.2, 0.2}}));
}

TEST(Mask, FiveQueriesAndTwoKeysEitherWay) {
  const Matrix Q = Matrix::Zero(5, 1);
  const Matrix K = Matrix::Zero(2, 1);
  EXPECT_EQ(weights(Q, K, {0}), (Matrix{{1, 0}, {0.5, 0.5}, {0.5, 0.5}, {0.5, 0.5}, {0.5, 0.5}}));
  EXPECT_EQ(weights(Q, K, {-3}), (Matrix{{0, 0}, {0, 0}, {0, 0}, {1, 0}, {0.5, 0.5}}));
}

TEST(Mask, AsManyQueriesAsKeys) {
  const Matrix Q = Matrix::Zero(3, 1);
  const Matrix third = Matrix{{1, 0, 0}, {0.5, 0.5, 0}, {1.0 / 3, 1.0 / 3, 1.0 / 3}};
  EXPECT_EQ(weights(Q, Q, Mask::kCausal), third);
}

TEST(Mask, EveryInstructionSetAgreesWithTheReference) {
  std::mt19937 engine(18);
  for (const attention::kernel::Kernel* kernel : attention::kernel::kernels()) {
    attention::kernel::use(kernel);
    for (int round = 0; round < 40; ++round) {
      const Index T_q = random_size(1, kMostSize, engine);
      const Index T_k = random_size(1, kMostSize, engine);
      const Index d_k = random_size(1, 9, engine);
      const Matrix Q = random_matrix(T_q, d_k, engine);
      const Matrix K = random_matrix(T_k, d_k, engine);
      const Matrix V = random_matrix(T_k, random_size(1, 9, engine), engine);
      for (const Mask mask :
           {Mask::kNone, Mask::kCausal, Mask{T_k - T_q}, Mask{random_size(1, 400, engine) - 200}}) {
        SCOPED_TRACE(testing::Message()
                     << kernel->name << ": T_q = " << T_q << ", T_k = " << T_k << ", offset " << mask.offset);
        const Matrix A = weights(Q, K, mask);
        EXPECT_LE((A - reference_weights(Q, K, mask)).cwiseAbs().maxCoeff(), 1e-13);
        Matrix O = Matrix::Constant(T_q, V.cols(), 7.0);
        attention::head_output(Q, K, V, 0, O, mask);
        EXPECT_LE((O - reference_output(Q, K, V, mask)).cwiseAbs().maxCoeff(), 1e-12);
        Matrix bits = Matrix::Constant(T_q, 1, 7.0);
        analysis::row_entropies_bits(attention::head_of(Q, K), 0, bits, mask);
        EXPECT_LE((bits - reference_entropies(Q, K, mask)).cwiseAbs().maxCoeff(), 1e-12);

        // A row is the same in whichever block it is asked for.
        const Index first = random_size(1, T_q, engine) - 1;
        Matrix some(random_size(1, T_q - first, engine), V.cols());
        attention::head_output(Q, K, V, first, some, mask);
        EXPECT_EQ(some, O.middleRows(first, some.rows()));
      }
    }
  }
  attention::kernel::use(nullptr);
}

TEST(Mask, KeysThatNobodySeesAreNotRead) {
  Matrix Q = Matrix::Ones(2, 1);
  Matrix K = Matrix::Ones(6, 1);
  Matrix V = Matrix::Ones(6, 1);
  K.bottomRows(2).setConstant(std::numeric_limits<double>::quiet_NaN());
  V.bottomRows(2).setConstant(std::numeric_limits<double>::infinity());
  Matrix O(2, 1);
  attention::head_output(Q, K, V, 0, O, Mask{2});
  EXPECT_EQ(O, Matrix::Ones(2, 1));
}

TEST(Mask, ConcatHoldsEveryHeadsOutput) {
  std::mt19937 engine(3);
  std::vector<attention::Head> heads;
  for (int h = 0; h < 3; ++h) {
    heads.push_back(attention::head_of(random_matrix(40, 4, engine), random_matrix(25, 4, engine),
                                       random_matrix(25, 2, engine)));
  }
  const Mask mask{25 - 40};
  Matrix O_concat = Matrix::Constant(40, 6, 7.0);
  attention::concat(heads, 0, O_concat, mask);
  for (Index h = 0; h < 3; ++h) {
    const attention::Head& head = heads[static_cast<std::size_t>(h)];
    const Matrix O = reference_output(*head.Q, *head.K, *head.V, mask);
    EXPECT_LE((O_concat.middleCols(2 * h, 2) - O).cwiseAbs().maxCoeff(), 1e-12) << "head " << h + 1;
  }
}

}  // namespace
}  // namespace mha::test
