#include "commands/rank.h"

#include <fmt/format.h>

#include <stdexcept>

#include "analysis/rank.h"

namespace mha::commands {
namespace {

/// "--T-big …, --d-big …: " and what is wrong with them.
analysis::Count flops(const RankOptions& options, analysis::Count H) {
  if (options.d_big % H != 0) {
    throw std::invalid_argument(
        fmt::format("--H-big {}: {} heads do not divide --d-big {} evenly (remainder {})", H, H,
                    options.d_big, options.d_big % H));
  }
  try {
    return analysis::score_flops(options.T_big, options.d_big, H);
  } catch (const std::overflow_error& e) {
    throw std::invalid_argument(
        fmt::format("--T-big {}, --d-big {}: {}", options.T_big, options.d_big, e.what()));
  }
}

}  // namespace

report::Report rank(const RankOptions& options) {
  report::Report report{"rank", head_parameters(options.heads), {}, {}};
  report::List H_big;
  for (const analysis::Count H : options.H_big) H_big.push_back({H});
  report.parameters.push_back({"T_big", {options.T_big}});
  report.parameters.push_back({"d_big", {options.d_big}});
  report.parameters.push_back({"H_big", H_big.size() == 1 ? H_big.front() : report::Value{H_big}});

  // The counts first: they can be refused, and cost nothing.
  const analysis::Count flops_wide = flops(options, 1);
  report::Line flops_line{std::string("score FLOPs, one wide head vs H narrow heads:"), flops_wide};
  report::List flops_narrow;
  for (const analysis::Count H : options.H_big) {
    const analysis::Count count = flops(options, H);
    flops_line.emplace_back(count);
    flops_narrow.push_back({count});
  }

  report::Line ranks_line{fmt::format("rank(Q_h K_h') for {}:", head_list(options.heads.heads))};
  report::List heads;
  for (const SharedHead& head : lesson_heads(options.heads)) {
    const analysis::NumericalRank found = analysis::rank_of_product(head->Q, head->K);
    ranks_line.emplace_back(static_cast<report::Count>(found.rank));
    report::List singular_values;
    for (const double s : found.singular_values) singular_values.push_back({s});
    heads.push_back({report::Object{{"head", {static_cast<report::Count>(head->number)}},
                                    {"name", {head->name}},
                                    {"rank", {static_cast<report::Count>(found.rank)}},
                                    {"singular_values", {std::move(singular_values)}},
                                    {"tolerance", {found.tolerance}}}});
  }
  report.lines = {std::move(ranks_line), std::move(flops_line)};
  report.results = {
      {"heads", {std::move(heads)}},
      {"flops_wide", {flops_wide}},
      {"flops_narrow", flops_narrow.size() == 1 ? flops_narrow.front() : report::Value{flops_narrow}}};
  return report;
}

}  // namespace mha::commands
