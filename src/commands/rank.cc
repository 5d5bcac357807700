#include "commands/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>

#include "analysis/rank.h"
#include "attention/multi_head.h"

namespace mha::commands {
namespace {

/// The score FLOPs of H heads. What is wrong with the sizes is told by the options that gave them.
analysis::Count flops(const RankOptions& options, analysis::Count H) {
  require_even_heads("--H-big", H, "--d-big", options.d_big);
  try {
    return analysis::score_flops(options.T_big, options.d_big, H);
  } catch (const std::overflow_error& e) {
    throw std::invalid_argument(
        fmt::format("--T-big {}, --d-big {}: {}", options.T_big, options.d_big, e.what()));
  }
}

std::vector<report::Panel> score_panels(const Heads& heads, const ShownHead& head,
                                        const analysis::NumericalRank& found) {
  const report::LazyMatrix scores(heads.T_q(), heads.T_k(), [head = head.head](Index first, Block block) {
    attention::project(head->Q->middleRows(first, block.rows()), head->K->transpose(), block);
  });
  const auto count = static_cast<Index>(found.singular_values.size());
  const Matrix values = Eigen::Map<const Matrix>(found.singular_values.data(), count, 1);
  return {{fmt::format("Q Kᵀ of {}", head.title()),
           report::Heatmap{scores, report::Scale::kSigned, nullptr, heads.query_axis(), heads.key_axis(),
                           "score q · k"}},
          {fmt::format("rank {}", found.rank),
           report::Stem{
               {values}, report::Scale::kSigned, {"singular value", report::numbered("s")}, "size", count}}};
}

/// The rank of a head's scores.
analysis::NumericalRank rank_of(const Heads& heads, const ShownHead& head, std::optional<double> tolerance) {
  if (!head.head->Q) {
    throw std::invalid_argument(
        fmt::format("{}: has the weights of head {} themselves; rank needs its scores, Q and K",
                    heads.layer->name, head.number));
  }
  analysis::NumericalRank found =
      analysis::rank_of_product(*head.head->Q, *head.head->K, heads.layer->precision, tolerance);
  if (!std::isfinite(found.singular_values.front()))
    attention::refuse_overflow(*heads.layer,
                               fmt::format("the singular values of head {}'s scores", head.number));
  return found;
}

/// What is counted as 0, where it is not what the lesson's heads have.
std::string tolerance_words(const RankOptions& options, attention::Precision precision) {
  if (options.tolerance) return fmt::format("{}", *options.tolerance);
  switch (precision) {
    case attention::Precision::kFloat64:
      return "";
    case attention::Precision::kFloat32:
      return "max(T_q, T_k) * s_max * 2^-23 (float32)";
    default:
      return fmt::format("s_max * 2^{} ({})", std::ilogb(attention::epsilon(precision)),
                         text::name_of(precision));
  }
}

report::Figure ranks_figure(const Heads& heads, std::vector<report::Panel> panels) {
  const std::size_t columns = std::min<std::size_t>(4, panels.size());
  return {"score_ranks",
          fmt::format("Score matrices Q Kᵀ and their singular values, {}, {}", sizes_of(*heads.layer),
                      heads.title),
          "For each head a heatmap of the score matrix, unmasked and unscaled, a query per row and a key per "
          "column, red positive, blue negative, white 0; beside it stems of its singular values, of which "
          "as many as its rank stand above 0.",
          columns,
          true,
          std::move(panels)};
}

report::Explanation rank_explanation() {
  return {
      "Rank and cost of the scores",
      "A score matrix is T × T, but it is made of two factors that are only d_k columns wide, and its rank "
      "cannot exceed that width however many tokens there are. The last line counts what all the scores "
      "cost: H narrow heads take no more multiplications than one wide head.",
      {report::Equation::kScoreRank, report::Equation::kScoreFlops},
      {{"rank --T 64", "many more tokens, and the ranks stay"},
       {"rank --gain 0", "scores that are all 0 have rank 0"},
       {"rank --H-big 1,4,8,16", "the cost of 1, 4, 8 and 16 heads beside that of the wide one"},
       {"bench", "the same multiplications with a stopwatch"}},
      kLetters};
}

void declare_rank(options::Options& options, RankOptions& chosen) {
  declare_heads(options, chosen.heads);
  options.add("--rank-tolerance", chosen.tolerance, "R", "singular values up to R count as 0")
      .default_is("max(T_q, T_k) * s_max * 2^-52; float32 2^-23; float16 and bfloat16 s_max * 2^-10, 2^-7");
  options.check([&chosen] {
    if (chosen.tolerance.value_or(0.0) < 0.0)
      throw std::invalid_argument(fmt::format("--rank-tolerance: {} is below 0", *chosen.tolerance));
  });
  options.add("--T-big", chosen.T_big, "N", "number of tokens in the FLOP count");
  options.add("--d-big", chosen.d_big, "N", "width of the wide head");
  options.add("--H-big", chosen.H_big, "LIST",
              "head counts to set against the wide head, a FLOP count for each");
}

}  // namespace

report::Report rank(const RankOptions& options) {
  // The counts first: they can be refused, and cost nothing.
  const analysis::Count flops_wide = flops(options, 1);
  report::Line flops_line{"score FLOPs, one wide head vs H narrow heads:", flops_wide};
  report::List flops_narrow;
  for (const analysis::Count H : options.H_big) {
    flops_narrow.emplace_back(flops(options, H));
    flops_line.emplace_back(flops(options, H));
  }

  const Heads heads = heads_of(options.heads);
  report::Report report("rank", heads.parameters);
  report.parameters.emplace_back("T_big", options.T_big);
  report.parameters.emplace_back("d_big", options.d_big);
  report.parameters.emplace_back("H_big", one_or_list(options.H_big));

  report::Line ranks_line{fmt::format("rank(Q_h K_h') for {}:", head_list(heads.shown))};
  report::List results;
  std::vector<report::Panel> panels;
  for (const ShownHead& head : heads.shown) {
    const analysis::NumericalRank found = rank_of(heads, head, options.tolerance);
    for (report::Panel& panel : score_panels(heads, head, found)) panels.push_back(std::move(panel));
    ranks_line.emplace_back(found.rank);
    const std::vector<double>& values = found.singular_values;
    results.push_back(report::Object{{"head", head.number},
                                     {"name", head.any_name()},
                                     {"rank", found.rank},
                                     {"singular_values", report::List(values.begin(), values.end())},
                                     {"tolerance", found.tolerance}});
  }
  report.lines = {std::move(ranks_line), std::move(flops_line)};
  if (const std::string tolerance = tolerance_words(options, heads.layer->precision); !tolerance.empty())
    report.lines.insert(report.lines.begin() + 1, {"singular values up to " + tolerance + " count as 0"});
  report.results = {
      {"heads", std::move(results)}, {"flops_wide", flops_wide}, {"flops_narrow", one_or_list(flops_narrow)}};
  add_remarks(*heads.layer, report);
  report.figures = {ranks_figure(heads, std::move(panels))};
  report.explanation = explained(rank_explanation(), *heads.layer);
  return report;
}

constexpr std::array kRankExamples = {"mha rank", "mha rank --T 64 --heads 2,3", "mha rank --H-big 1,4,8,16"};
const Command kRank = {
    "rank",
    "ranks of the score matrices, and their FLOPs",
    "Ranks of the score matrices Q_h K_h': singular values above max(T_q, T_k) * s_max * 2^-52, found from\n"
    "the two factors. Then the FLOPs of the scores, a multiply-add counting two and every pair counted: one\n"
    "wide head against H narrow ones.",
    kRankExamples,
    true,
    [](options::Options& options) { return declared<RankOptions>(options, declare_rank, rank); }};

}  // namespace mha::commands
