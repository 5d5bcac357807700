#include "analysis/filter_bank.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "attention/multi_head.h"
#include "lessons/09-multi-head-attention/pipeline.h"
#include "tests/support/random.h"

namespace mha::test {
namespace {

using analysis::BankHead;

struct Bank {
  Matrix X;
  std::vector<BankHead> heads;
  Matrix W_O;
};

Bank random_bank(std::mt19937& engine) {
  // T beyond a block of the comparison (64 rows) comes up too.
  const Index T = random_size(1, 150, engine);
  const Index H = random_size(1, 4, engine);
  const Index d_model = random_size(1, 9, engine);
  const Index d_v = random_size(1, 4, engine);
  Bank bank{random_matrix(T, d_model, engine), {}, random_matrix(H * d_v, d_model, engine)};
  for (Index h = 0; h < H; ++h) {
    bank.heads.push_back(
        {random_matrix(T, 3, engine), random_matrix(T, 3, engine), random_matrix(d_model, d_v, engine)});
  }
  return bank;
}

Matrix output(const Bank& bank) {
  std::vector<attention::Head> heads;
  for (const BankHead& head : bank.heads) heads.push_back({head.Q, head.K, bank.X * head.W_V});
  Matrix O(bank.X.rows(), bank.W_O.cols());
  attention::multi_head_output(heads, bank.W_O, 0, O);
  return O;
}

Matrix sum(const Bank& bank) {
  Matrix O(bank.X.rows(), bank.W_O.cols());
  analysis::filter_bank_sum(bank.X, bank.heads, bank.W_O, 0, O);
  return O;
}

TEST(FilterBank, HoldsWithinRoundingForAnyHeads) {
  std::mt19937 engine(51);
  double largest = 0.0;
  for (int round = 0; round < 60; ++round) {
    const Bank bank = random_bank(engine);
    SCOPED_TRACE(testing::Message() << "T = " << bank.X.rows() << ", H = " << bank.heads.size());
    EXPECT_LE((output(bank) - sum(bank)).cwiseAbs().maxCoeff(), 1e-12);
    const double deviation = analysis::filter_bank_deviation(bank.X, bank.heads, bank.W_O);
    EXPECT_LE(deviation, 1e-12);
    largest = std::max(largest, deviation);
  }
  // Two computations of dense random numbers round apart somewhere: a deviation that is 0 throughout
  // was not computed.
  EXPECT_GT(largest, 0.0);
}

TEST(FilterBank, SeesWhatIsPutWrong) {
  std::mt19937 engine(52);
  for (int round = 0; round < 20; ++round) {
    const Bank bank = random_bank(engine);
    const Matrix O = output(bank);
    Bank wrong = bank;
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
      const lesson09::Pipeline pipeline = lesson09::two_head_pipeline(T, gain);
      for (const char* const wo : {"mixing", "identity", "swap"}) {
        EXPECT_EQ(
            analysis::filter_bank_deviation(pipeline.X, pipeline.heads, lesson09::output_projection(wo)), 0.0)
            << "T = " << T << ", gain " << gain << ", " << wo;
      }
    }
  }
}

}  // namespace
}  // namespace mha::test
