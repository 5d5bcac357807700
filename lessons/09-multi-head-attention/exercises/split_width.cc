#include <fmt/format.h>

#include <utility>

#include "analysis/counts.h"
#include "lessons/09-multi-head-attention/exercises/exercises.h"

namespace mha::lesson09 {
namespace {

using analysis::Count;

constexpr Count kWidth = 384;        // d_model
constexpr Count kLongTokens = 1024;  // for the FLOPs of the scores, as in the lesson's rank lens
const std::vector<Count> kHeadCounts = {1, 2, 4, 6, 8, 12};

analysis::ParameterCounts counts(Count H) {
  return analysis::parameter_counts({kWidth, H, kWidth / H, H, false});
}

Answer right_answer() {
  std::vector<double> d_k;
  std::vector<double> n_tot;
  for (const Count H : kHeadCounts) {
    const auto head_width = kWidth / H;
    d_k.push_back(static_cast<double>(head_width));
    n_tot.push_back(static_cast<double>(counts(H).n_tot));
  }
  return {{"d_k", list(d_k)}, {"n_tot", list(n_tot)}};
}

Solution solve_split_width() {
  report::Table table{{"H", "d_k", "W_Q+W_K+W_V", "W_O", "total", "score FLOPs at T = 1024"}, {}};
  report::List rows;
  for (const Count H : kHeadCounts) {
    const analysis::ParameterCounts n = counts(H);
    const Count flops = analysis::score_flops(kLongTokens, kWidth, H);
    table.rows.push_back({H, kWidth / H, n.n_qkv, n.n_wo, n.n_tot, flops});
    rows.push_back(report::Object{{"H", H},
                                  {"d_k", kWidth / H},
                                  {"n_qkv", n.n_qkv},
                                  {"n_wo", n.n_wo},
                                  {"n_tot", n.n_tot},
                                  {"score_flops", flops}});
  }
  return {right_answer(),
          {{"counts", std::move(rows)}},
          {
              {"Each of W_Q, W_K, W_V has d_model rows and H*d_k columns, and W_O is as large."},
              {"With d_k = d_model/H, H*d_k is d_model whatever H is: 4*d_model^2 in all."},
              {""},
              {std::move(table)},
              {""},
              {"What trades: H heads make H averages at each position, so more heads are more"},
              {"patterns at a time. Each is chosen by a score matrix Q_h K_h' of rank at most"},
              {"d_k = d_model/H, so each pattern comes from a smaller family, and each head"},
              {"carries fewer channels. Parameters and score FLOPs do not move. At H = d_model"},
              {"a head would have one channel: every key a single number, rank 1."},
          }};
}

/// Of a total that is not right: what else may have been counted.
std::string other_count(double given, double right) {
  const std::string how = direction(given, right);
  const analysis::ParameterCounts biased = analysis::parameter_counts({kWidth, 1, kWidth, 1, true});
  if (given == static_cast<double>(biased.n_qkv)) return how + " (that leaves out the way back, W_O)";
  if (given == static_cast<double>(biased.n_tot)) return how + " (that counts biases too)";
  return how;
}

Judgement judge_split_width(const Answer& answer) {
  std::vector<std::string> places;
  for (const Count H : kHeadCounts) places.push_back(fmt::format("H = {}", H));
  const Answer right = right_answer();
  Judgement judgement;
  compare_lists("d_k", places, answer.at("d_k"), right.at("d_k"), 0.0, judgement);
  compare_lists("n_tot", places, answer.at("n_tot"), right.at("n_tot"), 0.0, judgement, other_count);
  return judgement;
}

}  // namespace

Exercise split_width() {
  const Matrix open = Matrix::Zero(1, static_cast<Index>(kHeadCounts.size()));
  return {"More heads, no wider model",
          {
              "A block with d_model = 384 is split among H heads, each d_k = d_model/H wide.",
              "For H = 1, 2, 4, 6, 8 and 12, in that order: how wide is a head (d_k), and how",
              "many weights do W_Q, W_K, W_V and W_O have together (n_tot; no biases)?",
              "",
              "And argue: what is gained and what is given up as H grows?",
          },
          "mha params --d-model 384 --H 1",
          {
              "Count with H*d_k left standing: W_Q, W_K and W_V each lead from d_model to",
              "H*d_k channels, and W_O leads back. Then put d_k = d_model/H in. For the",
              "argument, mha rank shows what a head's width limits.",
          },
          {{"d_k", Field::Shape::kList, open}, {"n_tot", Field::Shape::kList, open}},
          solve_split_width,
          judge_split_width};
}

}  // namespace mha::lesson09
