// concat, params, filterbank, verify and run: their reports as data.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "commands/commands.h"
#include "render/text/json.h"
#include "tests/support/refusal.h"
#include "tests/support/report_values.h"

namespace mha::test {
namespace {

using report::Count;
using Names = std::vector<std::string>;

TEST(ConcatCommand, ReportsTheLessonsNames) {
  for (const Index T : {1, 4, 7}) {
    const report::Report report = commands::concat({{.T = T}});
    SCOPED_TRACE(testing::Message() << "T = " << T);
    EXPECT_EQ(names(report.parameters), (Names{"T", "gain", "wo"}));
    EXPECT_EQ(names(report.results),
              (Names{"O_concat", "W_O", "O", "concat_shape", "out_shape", "n_qkv", "n_wo", "n_tot"}));
    const Matrix O_concat = whole(member_as<report::LazyMatrix>(report.results, "O_concat"));
    const Matrix W_O = whole(member_as<report::LazyMatrix>(report.results, "W_O"));
    const Matrix O = whole(member_as<report::LazyMatrix>(report.results, "O"));
    EXPECT_EQ(O.rows(), T);
    EXPECT_EQ(O.cols(), 4);
    EXPECT_LE((O - O_concat * W_O).cwiseAbs().maxCoeff(), 1e-15);
    const std::vector<Count> shape = {static_cast<Count>(T), 4};
    EXPECT_EQ(elements<Count>(member(report.results, "concat_shape")), shape);
    EXPECT_EQ(elements<Count>(member(report.results, "out_shape")), shape);
    EXPECT_EQ(member_as<Count>(report.results, "n_qkv"), 48U);
    EXPECT_EQ(member_as<Count>(report.results, "n_wo"), 16U);
    EXPECT_EQ(member_as<Count>(report.results, "n_tot"), 64U);
    EXPECT_EQ(report.lines.size(), 4U);
  }
}

TEST(ConcatCommand, ProjectsByTheOneThatIsAskedFor) {
  const auto result = [](lesson09::Projection wo, const char* name) {
    return whole(member_as<report::LazyMatrix>(commands::concat({{}, wo}).results, name));
  };
  const Matrix O_concat = result(lesson09::Projection::kMixing, "O_concat");
  EXPECT_EQ(result(lesson09::Projection::kIdentity, "O"), O_concat);
  Matrix swapped(4, 4);
  swapped << O_concat.rightCols(2), O_concat.leftCols(2);
  EXPECT_EQ(result(lesson09::Projection::kSwap, "O"), swapped);
  Matrix mixed(4, 4);
  mixed << O_concat.col(0) + O_concat.col(2), O_concat.col(1), -O_concat.col(2), O_concat.col(3);
  EXPECT_EQ(result(lesson09::Projection::kMixing, "O"), mixed);
}

TEST(PipelineCommands, RefuseWhatCannotBeDoneNamingTheOption) {
  const commands::Source huge{.T = Index{1} << 62};
  const commands::Source overflowing{.gain = 1e308};
  for (const std::string& memory : {refusal<std::invalid_argument>([&] { commands::concat({huge}); }),
                                    refusal<std::invalid_argument>([&] { commands::filterbank({huge}); })}) {
    EXPECT_EQ(memory.rfind("--T 4611686018427387904 would need ", 0), 0U) << memory;
  }
  for (const std::string& gain :
       {refusal<std::invalid_argument>([&] { commands::concat({overflowing}); }),
        refusal<std::invalid_argument>([&] { commands::filterbank({overflowing}); })}) {
    EXPECT_EQ(gain.rfind("--gain 1e+308: ", 0), 0U) << gain;
  }
}

TEST(ParamsCommand, WithoutOptionsIsTheLessonsBlock) {
  const report::Report report = commands::params({});
  EXPECT_EQ(names(report.results), (Names{"counts", "W_Q_packed", "slice_err"}));
  const auto counts = elements<report::Object>(member(report.results, "counts"));
  ASSERT_EQ(counts.size(), 1U);
  EXPECT_EQ(names(counts[0]), (Names{"H", "d_k", "n_qkv", "n_wo", "n_bias", "n_tot"}));
  EXPECT_EQ(member_as<Count>(counts[0], "n_tot"), 64U);
  EXPECT_EQ(member_as<Count>(counts[0], "n_bias"), 0U);
  EXPECT_EQ(member_as<double>(report.results, "slice_err"), 0.0);
  EXPECT_EQ(printed_line(report.lines.at(0)), "parameters: W_Q, W_K, W_V = 48   W_O = 16   total = 64");
  EXPECT_EQ(report.lines.size(), 3U);
}

TEST(ParamsCommand, WithOptionsIsATableOfARowForEachH) {
  commands::ParamsOptions options;
  options.d_model = 384;
  options.H = {1, 2, 4, 6, 8, 12};
  const report::Report report = commands::params(options);
  EXPECT_EQ(names(report.results), Names{"counts"});
  const auto counts = elements<report::Object>(member(report.results, "counts"));
  ASSERT_EQ(counts.size(), 6U);
  const auto& table = std::get<report::Table>(report.lines.at(0).at(0).data);
  ASSERT_EQ(table.rows.size(), 6U);
  for (std::size_t i = 0; i < 6; ++i) {
    const Count H = options.H->at(i);
    EXPECT_EQ(member_as<Count>(counts[i], "H"), H);
    EXPECT_EQ(member_as<Count>(counts[i], "d_k"), 384U / H);
    EXPECT_EQ(member_as<Count>(counts[i], "n_tot"), 4U * 384U * 384U);
    const std::vector<Count> cells = {H, 384U / H, 3U * 384U * 384U, 384U * 384U, 0U, 4U * 384U * 384U};
    ASSERT_EQ(table.rows[i].size(), table.headings.size());
    for (std::size_t c = 0; c < cells.size(); ++c) EXPECT_EQ(std::get<Count>(table.rows[i].at(c)), cells[c]);
  }
}

TEST(FilterbankCommand, ReportsTheDeviationAndTheRanksOfTheChannelMaps) {
  const report::Report one = commands::filterbank({{}, commands::BankProjection::kSwap});
  EXPECT_EQ(one.lines.size(), 1U) << "the lesson's line and no more";
  EXPECT_EQ(printed_line(one.lines.at(0)), "max |Concat*W_O - sum_h A_h X W_V^h W_O^(h)| = 0");

  const report::Report all = commands::filterbank({{}, commands::BankProjection::kAll});
  const auto identities = elements<report::Object>(member(all.results, "identities"));
  const Names projections = {"mixing", "identity", "swap"};
  ASSERT_EQ(identities.size(), projections.size());
  for (std::size_t i = 0; i < projections.size(); ++i) {
    EXPECT_EQ(names(identities[i]), (Names{"wo", "bank_err", "rank_W_V_W_O"}));
    EXPECT_EQ(member_as<std::string>(identities[i], "wo"), projections[i]);
    EXPECT_EQ(member_as<double>(identities[i], "bank_err"), 0.0);
    // Each block of two rows of each of the three matrices has two independent rows.
    EXPECT_EQ(elements<Count>(member(identities[i], "rank_W_V_W_O")), (std::vector<Count>{2, 2}));
    EXPECT_EQ(std::get<std::string>(all.lines.at(i).back().data), "(" + projections[i] + ")");
  }
}

TEST(VerifyCommand, ReportsEveryCheckAndIsOk) {
  const report::Report report = commands::verify();
  EXPECT_TRUE(report.ok);
  const auto checks = elements<report::Object>(member(report.results, "checks"));
  EXPECT_EQ(checks.size(), 19U);  // the lesson's table, a row for each head's sums
  for (const report::Object& check : checks) {
    EXPECT_EQ(names(check), (Names{"what", "expected", "computed", "ok"}));
    EXPECT_TRUE(member_as<bool>(check, "ok")) << member_as<std::string>(check, "what");
  }
}

nlohmann::json as_json(const report::Document& document) {
  std::ostringstream out;
  render::json(document, out);
  return nlohmann::json::parse(out.str());
}

TEST(RunCommand, MakesItsScriptsOfTheCommandsReports) {
  const commands::RankOptions ranks;
  commands::RankOptions flops;
  flops.H_big = {1, 4, 8, 16};
  const std::vector<report::Script> expected = {
      {"multi_head_weights", {}, {commands::weights({}), commands::rank(ranks), commands::entropy({})}},
      {"head_concatenation", {}, {commands::concat({}), commands::params({})}},
      {"filter_bank_identity",
       {},
       {commands::filterbank({{}, commands::BankProjection::kAll}), commands::rank(flops)}}};
  EXPECT_EQ(as_json(commands::run({})), as_json({{}, expected}));
  EXPECT_EQ(as_json(commands::run({commands::LessonScript::kHeadConcatenation})),
            as_json({{}, {expected[1]}}));
  EXPECT_EQ(as_json(commands::run(
                {commands::LessonScript::kFilterBankIdentity, commands::LessonScript::kMultiHeadWeights})),
            as_json({{}, {expected[2], expected[0]}}));
}

}  // namespace
}  // namespace mha::test
