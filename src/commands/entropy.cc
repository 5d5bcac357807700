#include "commands/entropy.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "analysis/entropy.h"

namespace mha::commands {
namespace {

void fill_t(Index first, Block t) {
  for (Index r = 0; r < t.rows(); ++r) t(r, 0) = static_cast<double>(first + r + 1);
}

void fill_log2_t(Index first, Block log2_t) {
  for (Index r = 0; r < log2_t.rows(); ++r) log2_t(r, 0) = std::log2(static_cast<double>(first + r + 1));
}

report::Figure entropies_figure(const HeadOptions& options, std::vector<report::Curve> curves) {
  return {"row_entropies",
          fmt::format("How selective each head is: row entropies, T = {}, gain {}", options.T, options.gain),
          "Curves of the row entropy in bits against the position t, one for each head, under the ceiling "
          "log2 t that a uniform row reaches. 0 bits is a row that looks at one position only.",
          1,
          false,
          {{"", report::Curves{{"position t", report::numbered("")},
                               "row entropy (bits)",
                               {"ceiling log₂ t", {report::LazyMatrix(options.T, 1, fill_log2_t, 0)}},
                               std::move(curves)}}}};
}

}  // namespace

report::Report entropy(const HeadOptions& options) {
  report::Report report{"entropy", head_parameters(options), {}, {}};
  const std::vector<SharedHead> heads = lesson_heads(options);
  const Index T = options.T;

  std::string columns = "columns: t, log2 t";
  report::List results;
  std::vector<report::Curve> curves;
  for (const SharedHead& head : heads) {
    columns += fmt::format(", head {}", head->number);
    const report::LazyMatrix bits(T, 1, [head](Index first, Block block) {
      analysis::row_entropies_bits(head->Q, head->K, first, block);
    });
    curves.push_back(
        {fmt::format("head {} — {}", head->number, head->name), {bits}, std::to_string(head->number)});
    results.push_back({report::Object{{"head", {static_cast<report::Count>(head->number)}},
                                      {"name", {head->name}},
                                      {"bits", {report::Vector{bits}}}}});
  }
  report.results = {{"t", {report::Vector{{T, 1, fill_t, 0}}}},
                    {"log2_t", {report::Vector{{T, 1, fill_log2_t, 0}}}},
                    {"heads", {std::move(results)}}};

  report.lines.push_back({columns + "  (bits)"});
  const auto width = static_cast<Index>(heads.size()) + 2;
  const auto fill_table = [heads](Index first, Block table) {
    fill_t(first, table.middleCols(0, 1));
    fill_log2_t(first, table.middleCols(1, 1));
    Index column = 2;
    for (const SharedHead& head : heads) {
      analysis::row_entropies_bits(head->Q, head->K, first, table.middleCols(column++, 1));
    }
  };
  report.lines.push_back({report::LazyMatrix(T, width, fill_table, heads.size())});
  report.figures = {entropies_figure(options, std::move(curves))};
  return report;
}

}  // namespace mha::commands
