#include "attention/multi_head.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "tests/support/random.h"
#include "tests/support/reference.h"

namespace mha::test {
namespace {

using attention::Head;

struct AttentionBlock {
  Index T;
  Index d_v;
  std::vector<Head> heads;
  Matrix W_O;
};

AttentionBlock random_block(std::mt19937& engine) {
  const Index T = random_size(1, 20, engine);
  const Index H = random_size(1, 5, engine);
  const Index d_k = random_size(1, 4, engine);
  const Index d_v = random_size(1, 4, engine);
  AttentionBlock block{T, d_v, {}, random_matrix(H * d_v, random_size(1, 12, engine), engine)};
  for (Index h = 0; h < H; ++h) {
    block.heads.push_back(attention::head_of(random_matrix(T, d_k, engine), random_matrix(T, d_k, engine),
                                             random_matrix(T, d_v, engine)));
  }
  return block;
}

/// L R, an entry at a time.
Matrix triple_loop(const Matrix& L, const Matrix& R) {
  Matrix product = Matrix::Zero(L.rows(), R.cols());
  for (Index r = 0; r < L.rows(); ++r) {
    for (Index c = 0; c < R.cols(); ++c) {
      for (Index k = 0; k < L.cols(); ++k) product(r, c) += L(r, k) * R(k, c);
    }
  }
  return product;
}

Matrix slow_concat(const AttentionBlock& block) {
  Matrix O_concat(block.T, block.W_O.rows());
  Index column = 0;
  for (const Head& head : block.heads) {
    O_concat.middleCols(column, block.d_v) = triple_loop(reference_weights(*head.Q, *head.K), *head.V);
    column += block.d_v;
  }
  return O_concat;
}

/// `n` rows of Concat · W_O.
Matrix output(const std::vector<Head>& heads, const Matrix& W_O, Index first, Index n) {
  Matrix O_concat(n, W_O.rows());
  attention::concat(heads, first, O_concat);
  Matrix O(n, W_O.cols());
  attention::project(O_concat, W_O, O);
  return O;
}

Matrix output(const std::vector<Head>& heads, const Matrix& W_O) {
  return output(heads, W_O, 0, heads.front().Q->rows());
}

std::string sizes(const AttentionBlock& block) {
  return "T = " + std::to_string(block.T) + ", H = " + std::to_string(block.heads.size()) +
         ", d_v = " + std::to_string(block.d_v) + ", d_model = " + std::to_string(block.W_O.cols());
}

TEST(MultiHead, ConcatIsTheHeadsOutputsSideBySide) {
  std::mt19937 engine(11);
  for (int round = 0; round < 100; ++round) {
    const AttentionBlock block = random_block(engine);
    Matrix O_concat(block.T, block.W_O.rows());
    attention::concat(block.heads, 0, O_concat);
    EXPECT_LE((O_concat - slow_concat(block)).cwiseAbs().maxCoeff(), 1e-13) << sizes(block);
  }
}

TEST(MultiHead, OutputIsConcatTimesTheProjection) {
  std::mt19937 engine(12);
  for (int round = 0; round < 100; ++round) {
    const AttentionBlock block = random_block(engine);
    const Matrix expected = triple_loop(slow_concat(block), block.W_O);
    EXPECT_LE((output(block.heads, block.W_O) - expected).cwiseAbs().maxCoeff(), 1e-12) << sizes(block);
  }
}

TEST(MultiHead, AnyBlockOfRowsIsThoseRowsOfTheWholeBitForBit) {
  std::mt19937 engine(13);
  for (int round = 0; round < 200; ++round) {
    const AttentionBlock block = random_block(engine);
    const Matrix all = output(block.heads, block.W_O);
    const Index first = random_size(0, block.T - 1, engine);
    const Matrix some = output(block.heads, block.W_O, first, random_size(1, block.T - first, engine));
    EXPECT_EQ(some, all.middleRows(first, some.rows()))
        << sizes(block) << ", rows " << first << " + " << some.rows();
  }
}

TEST(MultiHead, PermutingHeadsTogetherWithTheirRowsOfTheProjectionChangesNothing) {
  std::mt19937 engine(14);
  for (int round = 0; round < 100; ++round) {
    const AttentionBlock block = random_block(engine);
    std::vector<std::size_t> order(block.heads.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), engine);

    std::vector<Head> heads;
    Matrix W_O(block.W_O.rows(), block.W_O.cols());
    for (const std::size_t h : order) {
      W_O.middleRows(static_cast<Index>(heads.size()) * block.d_v, block.d_v) =
          block.W_O.middleRows(static_cast<Index>(h) * block.d_v, block.d_v);
      heads.push_back(block.heads[h]);
    }
    EXPECT_LE((output(heads, W_O) - output(block.heads, block.W_O)).cwiseAbs().maxCoeff(), 1e-12)
        << sizes(block);
  }
}

TEST(MultiHead, TransposingTheProjectionChangesTheOutput) {
  std::mt19937 engine(15);
  std::vector<Head> heads;
  for (int h = 0; h < 2; ++h) {
    heads.push_back(attention::head_of(random_matrix(5, 2, engine), random_matrix(5, 2, engine),
                                       random_matrix(5, 2, engine)));
  }
  const Matrix W_O = random_matrix(4, 4, engine);
  EXPECT_GT((output(heads, W_O) - output(heads, W_O.transpose())).cwiseAbs().maxCoeff(), 0.1);
}

}  // namespace
}  // namespace mha::test
