// Which keys a query may see, for every instruction set: no mask, and as many queries as keys or not.
#include "attention/mask.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
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

using attention::Head;
using attention::Mask;
using attention::Rules;

constexpr Index kMostSize = 300;

/// A causal or open mask, with or without a window, empty slots, padding and an extra key.
Mask random_mask(Index keys, std::mt19937& engine) {
  const auto chance = [&] { return random_size(0, 2, engine) == 0; };
  Mask mask;
  mask.offset = chance() ? Mask::kFar : random_size(0, 2 * keys, engine) - keys;
  const Index position = mask.is_causal() ? mask.offset : 0;
  if (chance()) mask.from = position - random_size(1, keys, engine) + 1;
  if (chance() && keys > 1) mask.extra = keys - 1;
  if (chance()) mask.length = random_size(0, keys, engine);
  if (chance()) {
    auto before = std::make_shared<std::vector<Index>>(1, 0);
    for (Index i = 0; i < keys; ++i) before->push_back(before->back() + random_size(0, 1, engine));
    mask.tokens_before = std::move(before);
  }
  return mask;
}

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

TEST(Mask, CountsWhatItSaysIsSeen) {
  std::mt19937 engine(17);
  for (int round = 0; round < 300; ++round) {
    const Index keys = random_size(1, 12, engine);
    const Mask mask = random_mask(keys, engine);
    for (Index t = 0; t < 14; ++t) {
      Index count = 0;
      for (Index i = 0; i < keys; ++i) count += mask.sees(t, i) ? 1 : 0;
      EXPECT_EQ(mask.visible(t, keys), count) << round << ", query " << t;
    }
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

/// Every part of a kernel's work on one head, against the reference.
void expect_right(const Head& head, const Rules& rules, std::mt19937& engine) {
  const Index T_q = head.Q->rows();
  const Extras extras{rules.scale, rules.softcap, head.M.get(), head.sink};
  Matrix A = Matrix::Constant(T_q, head.K->rows(), 7.0);
  attention::attention_weights(head, 0, A, rules);
  EXPECT_LE((A - reference_weights(*head.Q, *head.K, rules.mask, extras)).cwiseAbs().maxCoeff(), 1e-13);
  for (Index t = 0; t < T_q; ++t) {
    for (Index i = 0; i < A.cols(); ++i) {
      if (!rules.mask.sees(t, i)) {
        EXPECT_EQ(A(t, i), 0.0);
      }
    }
  }
  Matrix O = Matrix::Constant(T_q, head.V->cols(), 7.0);
  attention::head_output(head, 0, O, rules);
  EXPECT_LE((O - reference_output(*head.Q, *head.K, *head.V, rules.mask, extras)).cwiseAbs().maxCoeff(),
            1e-12);
  Matrix bits = Matrix::Constant(T_q, 1, 7.0);
  analysis::row_entropies_bits(head, 0, bits, rules);
  EXPECT_LE((bits - reference_entropies(*head.Q, *head.K, rules.mask, extras)).cwiseAbs().maxCoeff(), 1e-12);

  // A row is the same in whichever block it is asked for.
  const Index first = random_size(1, T_q, engine) - 1;
  Matrix some(random_size(1, T_q - first, engine), head.V->cols());
  attention::head_output(head, first, some, rules);
  EXPECT_EQ(some, O.middleRows(first, some.rows()));
  Matrix some_A(some.rows(), A.cols());
  attention::attention_weights(head, first, some_A, rules);
  EXPECT_EQ(some_A, A.middleRows(first, some.rows()));
}

TEST(Mask, EveryInstructionSetAgreesWithTheReference) {
  std::mt19937 engine(18);
  for (const attention::kernel::Kernel* kernel : attention::kernel::kernels()) {
    attention::kernel::use(kernel);
    for (int round = 0; round < 40; ++round) {
      const Index T_q = random_size(1, kMostSize, engine);
      const Index T_k = random_size(1, kMostSize, engine);
      const Index d_k = random_size(1, 9, engine);
      const Head head = attention::head_of(random_matrix(T_q, d_k, engine), random_matrix(T_k, d_k, engine),
                                           random_matrix(T_k, random_size(1, 9, engine), engine));
      for (const Mask& mask : {Mask::kNone, Mask::kCausal, Mask{T_k - T_q},
                               Mask{random_size(1, 400, engine) - 200}, random_mask(T_k, engine)}) {
        SCOPED_TRACE(testing::Message()
                     << kernel->name << ": T_q = " << T_q << ", T_k = " << T_k << ", offset " << mask.offset);
        expect_right(head, mask, engine);
      }
    }
  }
  attention::kernel::use(nullptr);
}

/// Masks, windows, caches, padding, an extra key, a scale, a softcap, M and a sink, in all combinations.
TEST(Rules, EveryInstructionSetAgreesWithTheReference) {
  std::mt19937 engine(19);
  const auto chance = [&] { return random_size(0, 1, engine) == 1; };
  for (const attention::kernel::Kernel* kernel : attention::kernel::kernels()) {
    attention::kernel::use(kernel);
    for (int round = 0; round < 250; ++round) {
      const Index most = round % 10 == 0 ? kMostSize : 40;
      const Index T_q = random_size(1, most, engine);
      const Index T_k = random_size(1, most, engine);
      const Index d_k = random_size(1, 9, engine);
      Head head =
          attention::head_of(random_matrix(T_q, d_k, engine, 2.0), random_matrix(T_k, d_k, engine, 2.0),
                             random_matrix(T_k, random_size(1, 9, engine), engine));
      Rules rules(random_mask(T_k, engine));
      if (chance()) rules.scale = random_matrix(1, 1, engine)(0, 0);
      if (chance()) rules.softcap = 0.5 + std::abs(random_matrix(1, 1, engine)(0, 0));
      if (chance()) head.sink = random_matrix(1, 1, engine)(0, 0);
      if (chance()) {
        Matrix M = random_matrix(T_q, T_k - (rules.mask.extra < T_k ? 1 : 0), engine);
        for (double& entry : M.reshaped()) {
          if (entry > 0.7) entry = -std::numeric_limits<double>::infinity();
        }
        if (M.cols() > 0) head.M = std::make_shared<const Matrix>(M);
      }
      SCOPED_TRACE(testing::Message()
                   << kernel->name << ", round " << round << ": T_q = " << T_q << ", T_k = " << T_k
                   << ", offset " << rules.mask.offset << ", from " << rules.mask.from);
      expect_right(head, rules, engine);
    }
  }
  attention::kernel::use(nullptr);
}

TEST(Rules, ASinkTakesItsShareAndGivesNothing) {
  Head head = attention::head_of(Matrix::Zero(1, 1), Matrix::Zero(1, 1), Matrix::Constant(1, 1, 6.0));
  head.sink = std::log(2.0);  // e^0 against e^ln 2
  Matrix A(1, 1);
  attention::attention_weights(head, 0, A);
  EXPECT_NEAR(A(0, 0), 1.0 / 3.0, 1e-15);
  Matrix O(1, 1);
  attention::head_output(head, 0, O);
  EXPECT_NEAR(O(0, 0), 2.0, 1e-15);
}

TEST(Rules, AnExtraKeyIsSeenByEveryQuery) {
  const Matrix Q = Matrix::Zero(3, 1);
  const Matrix K = Matrix::Zero(4, 1);
  Mask mask;
  mask.extra = 3;
  EXPECT_EQ(weights(Q, K, mask),
            (Matrix{{0.5, 0, 0, 0.5}, {1.0 / 3, 1.0 / 3, 0, 1.0 / 3}, {0.25, 0.25, 0.25, 0.25}}));
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
