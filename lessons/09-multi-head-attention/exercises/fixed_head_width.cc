#include <fmt/format.h>

#include <cmath>

#include "analysis/counts.h"
#include "lessons/09-multi-head-attention/exercises/exercises.h"

namespace mha::lesson09 {
namespace {

using analysis::Count;

constexpr Count kModel = 512;  // d_model
constexpr Count kHead = 64;    // d_k
constexpr Count kFew = 8;
constexpr Count kMany = 16;

Count total(Count d_model, Count H, Count d_k) {
  return analysis::parameter_counts({d_model, H, d_k, H, false}).n_tot;
}

struct Totals {
  double few = static_cast<double>(total(kModel, kFew, kHead));
  double many = static_cast<double>(total(kModel, kMany, kHead));
  double ratio = many / few;
};

/// Widening the model: d_k held and H grown with it, or H held and d_k grown.
report::Table widening() {
  report::Table table{{"d_model", "H at d_k = 64", "total", "d_k at H = 8", "total"}, {}};
  for (const Count d_model : {kModel, 2 * kModel, 4 * kModel}) {
    const Count H = d_model / kHead;
    const Count d_k = d_model / kFew;
    table.rows.push_back({d_model, H, total(d_model, H, kHead), d_k, total(d_model, kFew, d_k)});
  }
  return table;
}

Solution solve_fixed_head_width() {
  const Count few = total(kModel, kFew, kHead);
  const Count many = total(kModel, kMany, kHead);
  const Totals totals;
  return {{{"n_tot", list({totals.few, totals.many})}, {"ratio", number(totals.ratio)}},
          {{"n_tot", report::List{few, many}}, {"ratio", totals.ratio}},
          {
              {"With d_k fixed, W_Q, W_K and W_V have d_model*H*d_k entries each and so has W_O:"},
              {"the count 4*d_model*H*d_k grows in step with H."},
              {""},
              {"n_tot at H = 8: ", few, "  at H = 16: ", many, "  ratio:", totals.ratio},
              {""},
              {"H*d_k is then 1024, twice d_model, and W_O brings it back to 512."},
              {""},
              {"Now widen the model, either with more heads or with wider ones:"},
              {widening()},
              {""},
              {"Why d_k is what is held: the count is the same either way, 4*d_model^2. But d_k"},
              {"bounds the rank of a head's scores and the channels that it carries, so a head"},
              {"of width 64 can do in a wide model what it could in a narrow one, and its scores"},
              {"keep their scale 1/sqrt(d_k). The width added becomes more patterns at a time."},
              {"With H held, a wider model would have larger heads and still take no more than"},
              {"8 averages at each position."},
          }};
}

/// Of a count that is not right: which other block it may have been of.
std::string other_block(double given, double right) {
  const std::string how = direction(given, right);
  const auto is_total = [&](Count d_model, Count d_k) {
    return given == static_cast<double>(total(d_model, kMany, d_k));
  };
  if (is_total(2 * kModel, kHead)) return how + " (that is d_model = 1024, not 512)";
  if (is_total(kModel, kModel / kMany)) return how + " (that is d_k = 32, not 64)";
  return how;
}

Judgement judge_fixed_head_width(const Answer& answer) {
  const Totals totals;
  const double ratio = answer.at("ratio")(0, 0);
  const bool ok = std::abs(ratio - totals.ratio) <= 1e-9;
  Judgement judgement;
  compare_lists("n_tot", {"H = 8", "H = 16"}, answer.at("n_tot"), list({totals.few, totals.many}), 0.0,
                judgement, other_block);
  judgement.findings.push_back(
      {ok, fmt::format("ratio: {} is {}", ratio,
                       ok ? "right" : "not right; it is the second count over the first")});
  return judgement;
}

}  // namespace

Exercise fixed_head_width() {
  return {"Twice the heads, each as wide",
          {
              "A block has d_model = 512, H = 8 and so d_k = 64. Keep d_model and d_k, and let",
              "H grow to 16. How many weights do W_Q, W_K, W_V and W_O have together before and",
              "after (n_tot for H = 8 and H = 16; no biases), and by which factor does that",
              "change (ratio)?",
              "",
              "And argue: why do models that grow wider usually keep d_k, and not H?",
          },
          "mha params --d-model 512 --H 8 --d-k 64",
          {
              "The rule 4*d_model^2 holds when H*d_k = d_model, which is no longer so. Count",
              "each matrix: W_Q is d_model x H*d_k. mha params takes --d-k. For the argument,",
              "ask what a head's width limits (mha rank) and what the number of heads does.",
          },
          {{"n_tot", Field::Shape::kList, Matrix::Zero(1, 2)}, {"ratio", Field::Shape::kNumber, number(0.0)}},
          solve_fixed_head_width,
          judge_fixed_head_width};
}

}  // namespace mha::lesson09
