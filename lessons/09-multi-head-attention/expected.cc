#include "lessons/09-multi-head-attention/lesson.h"

#include <algorithm>
#include <cmath>

#include "analysis/counts.h"
#include "analysis/entropy.h"
#include "analysis/filter_bank.h"
#include "analysis/rank.h"
#include "attention/causal_attention.h"
#include "attention/multi_head.h"

namespace mha::lesson09 {
namespace {

std::vector<double> values(const Eigen::Ref<const Eigen::RowVectorXd>& row) {
  return {row.begin(), row.end()};
}

Matrix weights(int head) {
  Matrix A(kTokens, kTokens);
  attention::attention_weights(hand_set_head(head, kTokens, kGain), 0, A);
  return A;
}

/// The bits that the four heads spend at position t (1-based).
std::vector<double> bits_at(Index t) {
  std::vector<double> bits;
  for (int head = 1; head <= kHeads; ++head) {
    Matrix one(1, 1);
    analysis::row_entropies_bits(hand_set_head(head, kTokens, kGain), t - 1, one);
    bits.push_back(one(0, 0));
  }
  return bits;
}

std::vector<double> ranks() {
  std::vector<double> ranks;
  for (int number = 1; number <= kHeads; ++number) {
    const attention::Head head = hand_set_head(number, kTokens, kGain);
    ranks.push_back(static_cast<double>(analysis::rank_of_product(*head.Q, *head.K).rank));
  }
  return ranks;
}

/// Concat · W_O against the sum of what the heads add.
double bank_deviation(const attention::Layer& layer) {
  const RowSource O = [&](Index first, Block rows) {
    Matrix O_concat(rows.rows(), layer.W_O.rows());
    attention::concat(layer, first, O_concat);
    attention::project(O_concat, layer.W_O, rows);
  };
  std::vector<RowSource> terms;
  for (Index h = 0; h < layer.H(); ++h) {
    terms.emplace_back([&, h](Index first, Block term) {
      analysis::filter_bank_term(layer, layer.heads[static_cast<std::size_t>(h)],
                                 analysis::synthesis_block(layer.W_O, h, kHeadWidth), first, term);
    });
  }
  return analysis::largest_deviation(layer.T_q, layer.W_O.cols(), O, terms, {});
}

}  // namespace

bool Check::ok() const {
  // A hair above half a unit: the lesson's own rounding of a tie may go either way.
  const double tolerance = places == 0 ? 1e-12 : 0.5000001 * std::pow(10.0, -places);
  return std::equal(expected.begin(), expected.end(), computed.begin(), computed.end(),
                    [&](double e, double c) { return std::abs(e - c) <= tolerance; });
}

std::vector<Check> expected_numbers() {
  const attention::Layer pipeline = two_head_pipeline(kPipelineTokens, kGain);
  Matrix O_concat(kPipelineTokens, kModelWidth);
  Matrix O(kPipelineTokens, kModelWidth);
  attention::concat(pipeline, 0, O_concat);
  attention::project(O_concat, pipeline.W_O, O);
  const analysis::ParameterCounts counts =
      analysis::parameter_counts({kModelWidth, kPipelineHeads, kHeadWidth, kPipelineHeads, false});
  const auto number = [](auto count) { return std::vector{static_cast<double>(count)}; };
  const auto size = [](const Matrix& M) {
    return std::vector{static_cast<double>(M.rows()), static_cast<double>(M.cols())};
  };

  std::vector<Check> checks = {{"A4_row4", {0.25, 0.25, 0.25, 0.25, 0, 0}, 2, values(weights(4).row(3))}};
  for (int head = 1; head <= kHeads; ++head) {
    checks.push_back({"row sums of A" + std::to_string(head), std::vector<double>(kTokens, 1.0), 0,
                      values(weights(head).rowwise().sum().transpose())});
  }
  checks.insert(checks.end(),
                {
                    {"O_concat(3, :)", {0.998, 0, 0.333, 0.333}, 3, values(O_concat.row(2))},
                    {"O(3, :)", {1.332, 0, -0.333, 0.333}, 3, values(O.row(2))},
                    {"concat_shape", {4, 4}, 0, size(O_concat)},
                    {"out_shape", {4, 4}, 0, size(O)},
                    {"slice_err", {0}, 0, {analysis::slice_deviation(pipeline)}},
                    {"n_qkv", {48}, 0, number(counts.n_qkv)},
                    {"n_wo", {16}, 0, number(counts.n_wo)},
                    {"n_tot", {64}, 0, number(counts.n_tot)},
                    {"bank_err", {0}, 0, {bank_deviation(pipeline)}},
                    {"rank(Q_h K_h'), heads 1-4", {1, 2, 2, 0}, 0, ranks()},
                    {"flops_wide", {1073741824}, 0, number(analysis::score_flops(1024, 512, 1))},
                    {"flops_narrow", {1073741824}, 0, number(analysis::score_flops(1024, 512, 8))},
                    {"Hs(4, :)", {1.25, 0.47, 0.24, 2.00}, 2, bits_at(4)},
                    {"Hs(6, :)", {1.82, 0.47, 0.47, 2.58}, 2, bits_at(6)},
                });
  return checks;
}

}  // namespace mha::lesson09
