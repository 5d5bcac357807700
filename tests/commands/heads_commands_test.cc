// weights, entropy and rank: their reports as data.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "analysis/entropy.h"
#include "attention/causal_attention.h"
#include "commands/commands.h"
#include "commands/heads.h"
#include "tests/support/lesson_heads.h"
#include "tests/support/refusal.h"
#include "tests/support/report_values.h"

namespace mha::test {
namespace {

using commands::HeadOptions;
using commands::RankOptions;
using report::Count;
using Names = std::vector<std::string>;

const std::vector<std::string> kHeadNames = {"first token", "previous token", "self", "uniform"};

HeadOptions head_options(Index T, double gain, std::vector<int> heads) {
  return {{.T = T, .gain = gain}, std::move(heads)};
}

std::vector<report::Object> head_results(const report::Report& report) {
  return elements<report::Object>(member(report.results, "heads"));
}

Matrix weights_of(int number, Index T, double gain) {
  const LessonHead head = lesson_head(number, T, gain);
  Matrix A(T, T);
  attention::attention_weights(head.Q, head.K, 0, A);
  return A;
}

TEST(WeightsCommand, DescribesOneHeadAsOneAndSeveralAsSeveral) {
  const auto described = [](std::vector<int> heads, std::size_t figure) {
    return commands::weights(head_options(5, 2.5, std::move(heads))).figures.at(figure).description;
  };
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "the attention weights A_h of head 3. Row t is",
                      described({3}, 0));
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "the attention weights of head 3: the weight", described({3}, 1));
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "A_h for each of 2 heads. Row t is", described({1, 3}, 0));
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "weights for each of 2 heads: the weight", described({1, 3}, 1));
}

TEST(WeightsCommand, ReportsEachHeadThatIsAskedForRepeatsToo) {
  const std::vector<int> asked = {3, 1, 3};
  const report::Report report = commands::weights(head_options(5, 2.5, asked));
  EXPECT_EQ(report.command, "weights");
  EXPECT_EQ(names(report.parameters), (Names{"T", "gain", "heads"}));
  EXPECT_EQ(elements<Count>(member(report.parameters, "heads")), (std::vector<Count>{3, 1, 3}));
  EXPECT_EQ(names(report.results), Names{"heads"});
  const auto heads = head_results(report);
  ASSERT_EQ(heads.size(), asked.size());
  ASSERT_EQ(report.lines.size(), asked.size()) << "without head 4 there is no row of it";
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const auto name = kHeadNames[static_cast<std::size_t>(asked[i] - 1)];
    EXPECT_EQ(names(heads[i]), (Names{"head", "name", "A"}));
    EXPECT_EQ(member_as<Count>(heads[i], "head"), static_cast<Count>(asked[i]));
    EXPECT_EQ(member_as<std::string>(heads[i], "name"), name);
    EXPECT_EQ(whole(member_as<report::LazyMatrix>(heads[i], "A")), weights_of(asked[i], 5, 2.5));
    EXPECT_EQ(std::get<std::string>(report.lines[i].at(0).data),
              "Head " + std::to_string(asked[i]) + " — " + name + ":");
    EXPECT_EQ(whole(std::get<report::LazyMatrix>(report.lines[i].at(1).data)), weights_of(asked[i], 5, 2.5));
  }
}

TEST(WeightsCommand, EndsWithRowFourOfHeadFourOrItsLast) {
  for (const Index T : {1, 2, 3, 4, 5, 128}) {
    const Index r = std::min<Index>(4, T);
    const report::Report report = commands::weights(head_options(T, 3.0, {4, 1}));
    ASSERT_EQ(report.lines.size(), 3U) << "T = " << T;
    EXPECT_EQ(std::get<std::string>(report.lines[2].at(0).data), "Head 4 row " + std::to_string(r) + ":");
    Matrix row = Matrix::Zero(T, 1);
    for (Index i = 0; i < r; ++i) row(i, 0) = 1.0 / static_cast<double>(r);
    EXPECT_EQ(whole(std::get<report::Vector>(report.lines[2].at(1).data).column), row) << "T = " << T;
  }
}

TEST(EntropyCommand, ReportsPositionsCeilingsAndBits) {
  const report::Report report = commands::entropy(head_options(9, 3.0, {2, 4, 2}));
  EXPECT_EQ(names(report.results), (Names{"t", "log2_t", "heads"}));
  const Matrix t = whole(member_as<report::Vector>(report.results, "t").column);
  const Matrix log2_t = whole(member_as<report::Vector>(report.results, "log2_t").column);
  const auto heads = head_results(report);
  ASSERT_EQ(heads.size(), 3U);
  for (Index i = 0; i < 9; ++i) {
    EXPECT_EQ(t(i, 0), static_cast<double>(i + 1));
    EXPECT_NEAR(log2_t(i, 0), std::log(static_cast<double>(i + 1)) / std::log(2.0), 1e-14);
  }
  Matrix table(9, 5);
  table << t, log2_t, Matrix::Zero(9, 3);
  Index column = 2;
  for (const report::Object& head : heads) {
    EXPECT_EQ(names(head), (Names{"head", "name", "bits"}));
    const Matrix A = weights_of(static_cast<int>(member_as<Count>(head, "head")), 9, 3.0);
    const Matrix bits = whole(member_as<report::Vector>(head, "bits").column);
    for (Index i = 0; i < 9; ++i) {
      EXPECT_NEAR(bits(i, 0), analysis::entropy_bits({A.row(i).data(), 9U}), 1e-12) << "row " << i;
    }
    table.col(column++) = bits;
  }
  ASSERT_EQ(report.lines.size(), 2U);
  EXPECT_EQ(std::get<std::string>(report.lines[0].at(0).data),
            "columns: t, log2 t, head 2, head 4, head 2  (bits)");
  EXPECT_EQ(whole(std::get<report::LazyMatrix>(report.lines[1].at(0).data)), table);
}

TEST(EntropyCommand, ComesOutAsTheLessonPrintsIt) {
  const report::Report report = commands::entropy({});
  const Matrix printed{{1.000000, 0.000000, 0.000000, 0.000000, 0.000000, 0.000000},
                       {2.000000, 1.000000, 0.490928, 0.241602, 0.241602, 1.000000},
                       {3.000000, 1.584963, 0.901880, 0.466890, 0.242633, 1.584963},
                       {4.000000, 2.000000, 1.252685, 0.467871, 0.242689, 2.000000},
                       {5.000000, 2.321928, 1.556962, 0.467924, 0.243721, 2.321928},
                       {6.000000, 2.584963, 1.824399, 0.468905, 0.468905, 2.584963}};
  const Matrix table = whole(std::get<report::LazyMatrix>(report.lines.at(1).at(0).data));
  EXPECT_LE((table - printed).cwiseAbs().maxCoeff(), 0.5000001e-6);
}

TEST(RankCommand, ReportsRanksTheirRuleAndTheFlops) {
  const report::Report report = commands::rank(RankOptions());
  EXPECT_EQ(names(report.parameters), (Names{"T", "gain", "heads", "T_big", "d_big", "H_big"}));
  EXPECT_EQ(names(report.results), (Names{"heads", "flops_wide", "flops_narrow"}));
  const auto heads = head_results(report);
  ASSERT_EQ(heads.size(), 4U);
  const std::vector<Count> ranks = {1, 2, 2, 0};
  for (std::size_t i = 0; i < 4; ++i) {
    for (const char* const name : {"head", "name", "rank", "singular_values"}) {
      EXPECT_NO_THROW(member(heads[i], name));
    }
    EXPECT_EQ(member_as<Count>(heads[i], "rank"), ranks[i]) << "head " << i + 1;
    const double tolerance = member_as<double>(heads[i], "tolerance");
    Count above = 0;
    for (const double s : elements<double>(member(heads[i], "singular_values")))
      above += s > tolerance ? 1 : 0;
    EXPECT_EQ(above, ranks[i]) << "head " << i + 1;
  }
  EXPECT_EQ(member_as<Count>(report.results, "flops_wide"), 1073741824U);
  EXPECT_EQ(member_as<Count>(report.results, "flops_narrow"), 1073741824U);
  EXPECT_EQ(printed_line(report.lines.at(0)), "rank(Q_h K_h') for heads 1..4: 1 2 2 0");
}

TEST(RankCommand, CountsOnceForEachHOfAList) {
  RankOptions options;
  options.T_big = 100;
  options.d_big = 24;
  options.H_big = {1, 4, 4, 24};
  const report::Report report = commands::rank(options);
  const std::vector<Count> same(4, 2U * 100U * 100U * 24U);
  EXPECT_EQ(elements<Count>(member(report.results, "flops_narrow")), same);
  EXPECT_EQ(elements<Count>(member(report.parameters, "H_big")), (std::vector<Count>{1, 4, 4, 24}));
  EXPECT_EQ(report.lines.at(1).size(), 2U + same.size());
}

TEST(RankCommand, RefusesWhatCannotBeCountedNamingTheOptions) {
  RankOptions options;
  options.H_big = {8, 3};
  const std::string uneven = refusal<std::invalid_argument>([&] { commands::rank(options); });
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "--H-big 3", uneven);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "--d-big 512", uneven);
  options.H_big = {8};
  options.T_big = Count{1} << 40;
  const std::string beyond = refusal<std::invalid_argument>([&] { commands::rank(options); });
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "--T-big 1099511627776", beyond);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "2^63", beyond);
}

TEST(HeadsCommands, RefuseWhatMemoryCannotHoldBeforeAnyWork) {
  // Were a single number per token allocated first, 2^62 of them would be another error than this one.
  const HeadOptions options = head_options(Index{1} << 62, 3.0, {4});
  RankOptions rank_options;
  rank_options.heads = options;
  for (const std::string& message : {refusal<std::invalid_argument>([&] { commands::weights(options); }),
                                     refusal<std::invalid_argument>([&] { commands::entropy(options); }),
                                     refusal<std::invalid_argument>([&] { commands::rank(rank_options); })}) {
    EXPECT_EQ(message.rfind("--T 4611686018427387904 would need ", 0), 0U) << message;
    EXPECT_PRED_FORMAT2(testing::IsSubstring, "GiB", message);
  }
}

TEST(HeadsCommands, RefuseAGainWhoseScoresOverflowNamingIt) {
  for (const int head : {2, 3}) {
    const HeadOptions options = head_options(6, 1e308, {1, 4, head});
    const std::string message = refusal<std::invalid_argument>([&] { commands::weights(options); });
    EXPECT_EQ(message.rfind("--gain 1e+308: ", 0), 0U) << message;
    EXPECT_PRED_FORMAT2(testing::IsSubstring, "head " + std::to_string(head), message);
    refusal<std::invalid_argument>([&] { commands::entropy(options); });
  }
  // Heads 1 and 4 take it: a score of head 1 is the gain itself, over √2.
  EXPECT_NO_THROW(commands::weights(head_options(6, 1e308, {1, 4})));
}

TEST(HeadsCommands, ARepeatedHeadIsMadeOnce) {
  const auto heads = commands::heads_of(head_options(6, 3.0, {1, 2, 1})).shown;
  ASSERT_EQ(heads.size(), 3U);
  EXPECT_EQ(heads[0].head, heads[2].head);
  EXPECT_NE(heads[0].head, heads[1].head);
}

}  // namespace
}  // namespace mha::test
