#include "analysis/counts.h"

#include <gtest/gtest.h>

#include <random>
#include <stdexcept>

#include "commands/commands.h"
#include "tests/support/refusal.h"
#include "tests/support/report_values.h"

namespace mha::test {
namespace {

using analysis::Count;
using analysis::parameter_counts;
using analysis::ParameterCounts;
using analysis::score_flops;

constexpr Count kPower30 = Count{1} << 30;

TEST(ParameterCounts, AreFourTimesTheSquareWhateverTheNumberOfHeads) {
  for (const Count H : {1, 2, 8, 64}) {
    const ParameterCounts plain = parameter_counts({512, H, 512 / H, H, false});
    EXPECT_EQ(plain.n_tot, 1048576U) << "H = " << H;
    EXPECT_EQ(plain.n_bias, 0U) << "H = " << H;
    const ParameterCounts biased = parameter_counts({512, H, 512 / H, H, true});
    EXPECT_EQ(biased.n_tot, 1050624U) << "H = " << H;
    EXPECT_EQ(biased.n_bias, 4U * 512U) << "H = " << H;
    EXPECT_EQ(biased.n_qkv + biased.n_wo + biased.n_bias, biased.n_tot) << "H = " << H;
  }
}

TEST(ParameterCounts, OfTheLessonsPipelineAreTheLessons) {
  const ParameterCounts counts = parameter_counts({4, 2, 2, 2, false});
  EXPECT_EQ(counts.n_qkv, 48U);
  EXPECT_EQ(counts.n_wo, 16U);
  EXPECT_EQ(counts.n_tot, 64U);
}

TEST(ParameterCounts, DoubleWithTheHeadsWhenTheirWidthIsKept) {
  EXPECT_EQ(parameter_counts({512, 8, 64, 8, false}).n_tot, 1048576U);
  EXPECT_EQ(parameter_counts({512, 16, 64, 16, false}).n_tot, 2U * 1048576U);
}

TEST(ParameterCounts, OfSharedKeysAndValuesCountThemOnce) {
  const ParameterCounts counts = parameter_counts({4096, 32, 128, 8, true});
  EXPECT_EQ(counts.n_qkv, 4096U * (4096U + 2U * 1024U));
  EXPECT_EQ(counts.n_wo, 4096U * 4096U);
  EXPECT_EQ(counts.n_bias, 4096U + 2U * 1024U + 4096U);
  EXPECT_EQ(counts.n_tot, counts.n_qkv + counts.n_wo + counts.n_bias);
}

TEST(ParameterCounts, AreTheSizesOfTheMatrices) {
  std::mt19937 engine(41);
  std::uniform_int_distribution<Count> size(1, 300);
  for (int round = 0; round < 200; ++round) {
    const Count d_model = size(engine);
    const Count kv_heads = size(engine);
    const Count H = kv_heads * size(engine);
    const Count d_k = size(engine);
    const ParameterCounts counts = parameter_counts({d_model, H, d_k, kv_heads, true});
    SCOPED_TRACE(testing::Message() << d_model << ", " << H << ", " << d_k << ", " << kv_heads);
    const Count W_Q = d_model * (H * d_k);
    const Count W_K = d_model * (kv_heads * d_k);
    EXPECT_EQ(counts.n_qkv, W_Q + 2 * W_K);
    EXPECT_EQ(counts.n_wo, (H * d_k) * d_model);
    EXPECT_EQ(counts.n_bias, H * d_k + 2 * kv_heads * d_k + d_model);
  }
}

TEST(ParameterCounts, AreExactUpTo2ToThe63AndRefusedBeyond) {
  constexpr Count kPower31 = Count{1} << 31;
  EXPECT_EQ(parameter_counts({kPower31, 1, kPower30, 1, false}).n_tot, Count{1} << 63);
  EXPECT_THROW(parameter_counts({kPower31, 1, kPower30, 1, true}), std::overflow_error);
  EXPECT_THROW(parameter_counts({kPower31, 1, kPower30 + 1, 1, false}), std::overflow_error);
  // 2^32 · 2^32 is 0 modulo 2^64.
  EXPECT_THROW(parameter_counts({Count{1} << 32, 1, Count{1} << 32, 1, false}), std::overflow_error);
  EXPECT_THROW(parameter_counts({1, kPower31, Count{1} << 33, kPower31, false}), std::overflow_error);
}

TEST(ScoreFlops, AreThoseOfOneWideHead) {
  for (const Count H : {1, 2, 4, 8, 16, 512}) EXPECT_EQ(score_flops(1024, 512, H), 1073741824U) << H;
  EXPECT_EQ(score_flops(4, 8, 2), 256U);  // every pair, a multiply-add as two
}

TEST(ScoreFlops, AreExactUpTo2ToThe63AndRefusedBeyond) {
  EXPECT_EQ(score_flops(kPower30, 4, 1), Count{1} << 63);
  EXPECT_EQ(score_flops(kPower30, 4, 4), Count{1} << 63);
  EXPECT_THROW(score_flops(kPower30, 5, 1), std::overflow_error);
  EXPECT_THROW(score_flops(kPower30 + 1, 4, 1), std::overflow_error);
  EXPECT_THROW(score_flops(Count{1} << 40, 2, 1), std::overflow_error);  // 0 modulo 2^64
  EXPECT_EQ(score_flops(46341, 1, 1), 2U * 46341U * 46341ULL);           // beyond 32 bits
}

/// T(T+1)/2 pairs: 10 of 16 at T = 4, 33558528 of 67108864 at T = 8192.
TEST(CausalCounts, AreThoseOfTheTriangle) {
  const analysis::CausalCounts small = analysis::causal_counts(4, 8, 2);
  EXPECT_EQ(small.score_flops, 160U);
  EXPECT_EQ(small.value_flops, 160U);
  EXPECT_EQ(small.exponentials, 20U);
  EXPECT_EQ(analysis::causal_counts(8192, 1, 1).exponentials, 33558528U);
  EXPECT_EQ(analysis::causal_counts(8192, 8, 2).score_flops, 2U * 33558528U * 8U);
  EXPECT_EQ(analysis::causal_counts(3, 1, 1).exponentials, 6U);
}

TEST(CausalCounts, AreExactUpTo2ToThe63AndRefusedBeyond) {
  constexpr Count kPower31 = Count{1} << 31;
  EXPECT_EQ(analysis::causal_counts(kPower31, 1, 1).score_flops, kPower31 * (kPower31 + 1));
  EXPECT_THROW(analysis::causal_counts(kPower31, 2, 1), std::overflow_error);
  EXPECT_THROW(analysis::causal_counts(kPower31, 4, 4), std::overflow_error);
  EXPECT_THROW(analysis::causal_counts(Count{1} << 32, 1, 1), std::overflow_error);  // the pairs alone
  EXPECT_THROW(analysis::causal_counts(Count{1} << 33, 1, 1), std::overflow_error);  // 2^32 modulo 2^64
}

commands::ParamsOptions sizes(Count d_model, Count H) {
  commands::ParamsOptions options;
  options.d_model = d_model;
  options.H = {H};
  return options;
}

TEST(ParamsCommand, RefusesHeadsThatDoNotDivideTheModelNamingBothNumbers) {
  const auto message = [](Count d_model, Count H) {
    return refusal<std::invalid_argument>([&] { commands::params(sizes(d_model, H)); });
  };
  using testing::IsSubstring;
  EXPECT_PRED_FORMAT2(IsSubstring, "--H 8: --d-model 2 ", message(2, 8));
  EXPECT_PRED_FORMAT2(IsSubstring, "d_k would be 0", message(2, 8));
  EXPECT_PRED_FORMAT2(IsSubstring, "--H 3:", message(10, 3));
  EXPECT_PRED_FORMAT2(IsSubstring, "--d-model 10 evenly (remainder 1)", message(10, 3));
  EXPECT_PRED_FORMAT2(IsSubstring, "--H 48:", message(1600, 48));
  EXPECT_PRED_FORMAT2(IsSubstring, "--d-model 1600 evenly (remainder 16)", message(1600, 48));
}

TEST(ParamsCommand, TakesHeadsThatDivideTheModel) {
  const auto counts = elements<report::Object>(member(commands::params(sizes(1600, 25)).results, "counts"));
  ASSERT_EQ(counts.size(), 1U);
  EXPECT_EQ(member_as<report::Count>(counts[0], "d_k"), 64U);
}

TEST(ParamsCommand, RefusesKeyValueHeadsThatCannotBeShared) {
  commands::ParamsOptions options = sizes(64, 8);
  options.kv_heads = 3;
  const std::string message = refusal<std::invalid_argument>([&] { commands::params(options); });
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "--kv-heads 3", message);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "--H 8", message);
  options.kv_heads = 16;
  refusal<std::invalid_argument>([&] { commands::params(options); });
}

TEST(ParamsCommand, RefusesCountsThatDoNotFitNamingTheOptions) {
  const std::string message =
      refusal<std::invalid_argument>([] { commands::params(sizes(Count{1} << 40, 1)); });
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "--d-model 1099511627776", message);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "2^63", message);
}

}  // namespace
}  // namespace mha::test
