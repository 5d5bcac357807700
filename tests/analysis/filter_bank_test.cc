#include "analysis/filter_bank.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "attention/multi_head.h"
#include "lessons/09-multi-head-attention/lesson.h"
#include "tests/support/random.h"

namespace mha::test {
namespace {

using attention::Layer;

attention::Head bank_head(const Matrix& X, Matrix Q, Matrix K, Matrix W_V) {
  attention::Head head = attention::head_of(std::move(Q), std::move(K), X * W_V);
  head.W_V = std::move(W_V);
  return head;
}

Layer random_bank(std::mt19937& engine) {
  const Index T = random_size(1, 150, engine);
  const Index H = random_size(1, 4, engine);
  const Index d_model = random_size(1, 9, engine);
  const Index d_v = random_size(1, 4, engine);
  Layer bank;
  bank.T_q = bank.T_k = T;
  bank.X = random_matrix(T, d_model, engine);
  bank.W_O = random_matrix(H * d_v, d_model, engine);
  for (Index h = 0; h < H; ++h) {
    Matrix Q = random_matrix(T, 3, engine);
    Matrix K = random_matrix(T, 3, engine);
    bank.heads.push_back(bank_head(bank.X, std::move(Q), std::move(K), random_matrix(d_model, d_v, engine)));
  }
  return bank;
}

/// Both sides of the identity: Concat · W_O, and what each head adds.
RowSource output_of(const Layer& bank) {
  return [&bank](Index first, Block O) {
    Matrix O_concat(O.rows(), bank.W_O.rows());
    attention::concat(bank, first, O_concat);
    attention::project(O_concat, bank.W_O, O);
  };
}

std::vector<RowSource> terms_of(const Layer& bank) {
  std::vector<RowSource> terms;
  for (Index h = 0; h < bank.H(); ++h) {
    const attention::Head& head = bank.heads[static_cast<std::size_t>(h)];
    terms.emplace_back([&bank, &head, h](Index first, Block term) {
      analysis::filter_bank_term(bank, head, analysis::synthesis_block(bank.W_O, h, head.W_V.cols()), first,
                                 term);
    });
  }
  return terms;
}

double deviation(const Layer& bank) {
  return analysis::largest_deviation(bank.X.rows(), bank.W_O.cols(), output_of(bank), terms_of(bank), {});
}

Matrix output(const Layer& bank) {
  Matrix O(bank.X.rows(), bank.W_O.cols());
  output_of(bank)(0, O);
  return O;
}

Matrix sum(const Layer& bank) {
  Matrix O(bank.X.rows(), bank.W_O.cols());
  analysis::sum_of_terms(terms_of(bank), {}, 0, O);
  return O;
}

TEST(FilterBank, HoldsWithinRoundingForAnyHeads) {
  std::mt19937 engine(51);
  double largest = 0.0;
  for (int round = 0; round < 60; ++round) {
    const Layer bank = random_bank(engine);
    SCOPED_TRACE(testing::Message() << "T = " << bank.X.rows() << ", H = " << bank.heads.size());
    EXPECT_LE((output(bank) - sum(bank)).cwiseAbs().maxCoeff(), 1e-12);
    const double found = deviation(bank);
    EXPECT_LE(found, 1e-12);
    largest = std::max(largest, found);
  }
  // Two computations of dense random numbers round apart somewhere: a deviation that is 0 throughout
  // was not computed.
  EXPECT_GT(largest, 0.0);
}

TEST(FilterBank, SeesWhatIsPutWrong) {
  std::mt19937 engine(52);
  for (int round = 0; round < 20; ++round) {
    const Layer bank = random_bank(engine);
    const Matrix O = output(bank);
    Layer wrong = bank;
    wrong.W_O(wrong.W_O.rows() - 1, 0) += 1.0;
    EXPECT_GT((O - sum(wrong)).cwiseAbs().maxCoeff(), 1e-3) << "W_O, round " << round;
    wrong = bank;
    wrong.heads.back().W_V(0, 0) += 1.0;
    EXPECT_GT((O - sum(wrong)).cwiseAbs().maxCoeff(), 1e-3) << "W_V, round " << round;
    wrong = bank;
    wrong.X(0, 0) += 1.0;
    EXPECT_GT((O - sum(wrong)).cwiseAbs().maxCoeff(), 1e-3) << "X, round " << round;
  }
}

TEST(FilterBank, HoldsWithBiasesOfTheValues) {
  std::mt19937 engine(53);
  for (int round = 0; round < 20; ++round) {
    Layer bank = random_bank(engine);
    for (attention::Head& head : bank.heads) {
      head.b_V = random_matrix(1, head.W_V.cols(), engine);
      head.V = std::make_shared<const Matrix>(head.V->rowwise() + head.b_V.row(0));
    }
    EXPECT_LE(deviation(bank), 1e-12);
  }
}

/// Blocks of 2048 rows are compared: the last row of a second and of a third one is looked at too, and
/// against its own row. The terms are 1 and the row's number, the bias 0.5.
TEST(FilterBank, ComparesEveryRowOfEveryBlockWithItsOwn) {
  const auto numbered = [](double more, Index wrong_row) {
    return [=](Index first, Block rows) {
      for (Index r = 0; r < rows.rows(); ++r) {
        rows.row(r).setConstant(static_cast<double>(first + r) + more +
                                (first + r == wrong_row ? 0.25 : 0.0));
      }
    };
  };
  const RowSource ones = [](Index /*first*/, Block rows) { rows.setOnes(); };
  const Matrix b_O = Matrix::Constant(1, 2, 0.5);
  for (const Index T : {1, 2048, 2049, 4100}) {
    EXPECT_EQ(analysis::largest_deviation(T, 2, numbered(1.5, -1), {ones, numbered(0.0, -1)}, b_O), 0.0) << T;
    EXPECT_EQ(analysis::largest_deviation(T, 2, numbered(1.5, T - 1), {ones, numbered(0.0, -1)}, b_O), 0.25)
        << T;
    EXPECT_EQ(analysis::largest_deviation(T, 2, numbered(1.5, -1), {ones, numbered(0.0, T - 1)}, b_O), 0.25)
        << T;
  }
}

/// In any block, whatever the others hold.
TEST(FilterBank, ASideThatOverflowsIsNoIdentityThatHolds) {
  const RowSource zeros = [](Index /*first*/, Block rows) { rows.setZero(); };
  for (const Index at : {0, 2500, 4099}) {
    const RowSource infinite = [at](Index first, Block rows) {
      rows.setZero();
      if (at >= first && at < first + rows.rows()) rows(at - first, 1) = INFINITY;
    };
    EXPECT_TRUE(std::isnan(analysis::largest_deviation(4100, 2, infinite, {infinite}, {}))) << at;
    EXPECT_EQ(analysis::largest_deviation(4100, 2, zeros, {infinite}, {}), INFINITY) << at;
  }
}

TEST(FilterBank, SynthesisBlocksAreTheRowsOfEachHead) {
  const Matrix W_O{{1, 2}, {3, 4}, {5, 6}, {7, 8}, {9, 10}, {11, 12}};
  EXPECT_EQ(analysis::synthesis_block(W_O, 0, 2), (Matrix{{1, 2}, {3, 4}}));
  EXPECT_EQ(analysis::synthesis_block(W_O, 2, 2), (Matrix{{9, 10}, {11, 12}}));
}

TEST(FilterBank, OfTheLessonsPipelineIsExactAtEverySize) {
  std::vector<Index> sizes = {64, 65, 129, 200};
  for (Index T = 1; T <= 40; ++T) sizes.push_back(T);
  for (const Index T : sizes) {
    for (const double gain : {0.0, 1e-6, 2.5, 3.0, 1e6, 1e12}) {
      for (const lesson09::Projection wo : lesson09::kProjections) {
        EXPECT_EQ(deviation(lesson09::two_head_pipeline(T, gain, wo)), 0.0)
            << "T = " << T << ", gain " << gain << ", " << text::name_of(wo);
      }
    }
  }
}

}  // namespace
}  // namespace mha::test
