#include "attention/causal_attention.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/support/random.h"
#include "tests/support/reference.h"

namespace mha::test {
namespace {

TEST(AttentionWeights, EqualTheSlowReferenceOnRandomSizes) {
  std::mt19937 engine(1);
  for (int round = 0; round < 200; ++round) {
    const Index T = random_size(1, 40, engine);
    const Index d_k = random_size(1, 9, engine);
    const Matrix Q = random_matrix(T, d_k, engine, 3.0);
    const Matrix K = random_matrix(T, d_k, engine, 3.0);
    Matrix A(T, T);
    attention::attention_weights(Q, K, 0, A);
    EXPECT_LE((A - reference_weights(Q, K)).cwiseAbs().maxCoeff(), 1e-13) << "T = " << T << ", d_k = " << d_k;
  }
}

}  // namespace
}  // namespace mha::test
