#include "commands/rank.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "analysis/rank.h"
#include "commands/even_heads.h"
#include "commands/one_or_list.h"

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

std::vector<report::Panel> score_panels(const Heads& heads, const SharedHead& head,
                                        const analysis::NumericalRank& found) {
  const report::LazyMatrix scores(heads.T_q(), heads.T_k(), [head](Index first, Block block) {
    block.noalias() = head->Q->middleRows(first, block.rows()) * head->K->transpose();
  });
  const auto count = static_cast<Index>(found.singular_values.size());
  const Matrix values = Eigen::Map<const Matrix>(found.singular_values.data(), count, 1);
  return {{fmt::format("Q Kᵀ of {}", head->title()),
           report::Heatmap{scores, report::Scale::kSigned, report::Mask::kNone, heads.query_axis(),
                           heads.key_axis(), "score q · k"}},
          {fmt::format("rank {}", found.rank),
           report::Stem{
               {values}, report::Scale::kSigned, {"singular value", report::numbered("s")}, "size", count}}};
}

/// The rank of a head's scores. What is wrong with them is told by what they came from.
analysis::NumericalRank rank_of(const RankOptions& options, const Heads& heads, const ShownHead& head) {
  if (!head.Q) {
    throw std::invalid_argument(
        fmt::format("{}: has the weights of head {} themselves; rank needs its scores, Q and K",
                    heads.model->name, head.number));
  }
  analysis::NumericalRank found = analysis::rank_of_product(*head.Q, *head.K);
  if (std::isfinite(found.singular_values.front())) return found;
  throw std::invalid_argument(
      heads.model->file
          ? fmt::format("{}: the singular values of head {}'s scores overflow a double", heads.model->name,
                        head.number)
          : fmt::format(
                "--gain {}: the singular values of head {}'s scores overflow a double; give a gain nearer to 0",
                options.heads.gain, head.number));
}

report::Figure ranks_figure(const Heads& heads, std::vector<report::Panel> panels) {
  return {"score_ranks",
          fmt::format("Score matrices Q Kᵀ and their singular values, {}, {}", heads.sizes(), heads.source),
          "For each head a heatmap of the score matrix, unmasked and unscaled, a query per row and a key per "
          "column, red positive, blue negative, white 0; beside it stems of its singular values, of which "
          "as many as its rank stand above 0.",
          std::min<std::size_t>(4, panels.size()),
          true,
          std::move(panels)};
}

}  // namespace

report::Report rank(const RankOptions& options) {
  report::Report report("rank");
  // The counts first: they can be refused, and cost nothing.
  const analysis::Count flops_wide = flops(options, 1);
  report::Line flops_line{std::string("score FLOPs, one wide head vs H narrow heads:"), flops_wide};
  report::List flops_narrow;
  for (const analysis::Count H : options.H_big) {
    const analysis::Count count = flops(options, H);
    flops_line.emplace_back(count);
    flops_narrow.push_back({count});
  }

  const Heads heads = heads_of(options.heads);
  report.parameters = heads.parameters;
  report.parameters.push_back({"T_big", {options.T_big}});
  report.parameters.push_back({"d_big", {options.d_big}});
  report.parameters.push_back({"H_big", one_or_list(options.H_big)});

  report::Line ranks_line{fmt::format("rank(Q_h K_h') for {}:", head_list(heads.shown))};
  report::List results;
  std::vector<report::Panel> panels;
  for (const SharedHead& head : heads.shown) {
    const analysis::NumericalRank found = rank_of(options, heads, *head);
    for (report::Panel& panel : score_panels(heads, head, found)) panels.push_back(std::move(panel));
    ranks_line.emplace_back(static_cast<report::Count>(found.rank));
    report::List singular_values;
    for (const double s : found.singular_values) singular_values.push_back({s});
    results.push_back({report::Object{{"head", {static_cast<report::Count>(head->number)}},
                                      {"name", {head->any_name()}},
                                      {"rank", {static_cast<report::Count>(found.rank)}},
                                      {"singular_values", {std::move(singular_values)}},
                                      {"tolerance", {found.tolerance}}}});
  }
  report.lines = {std::move(ranks_line), std::move(flops_line)};
  report.results = {{"heads", {std::move(results)}},
                    {"flops_wide", {flops_wide}},
                    {"flops_narrow", one_or_list(flops_narrow)}};
  report.figures = {ranks_figure(heads, std::move(panels))};
  return report;
}

}  // namespace mha::commands
