#include "commands/entropy.h"

#include <fmt/format.h>

#include <cmath>

#include "analysis/entropy.h"

namespace mha::commands {
namespace {

void fill_t(Index first, Block t) {
  for (Index r = 0; r < t.rows(); ++r) t(r, 0) = static_cast<double>(first + r + 1);
}

void fill_log2_t(Index first, Block log2_t) {
  for (Index r = 0; r < log2_t.rows(); ++r) log2_t(r, 0) = std::log2(static_cast<double>(first + r + 1));
}

}  // namespace

report::Report entropy(const HeadOptions& options) {
  report::Report report{"entropy", head_parameters(options), {}, {}};
  const std::vector<SharedHead> heads = lesson_heads(options);
  const Index T = options.T;

  std::string columns = "columns: t, log2 t";
  report::List results;
  for (const SharedHead& head : heads) {
    columns += fmt::format(", head {}", head->number);
    const report::LazyMatrix bits(T, 1, [head](Index first, Block block) {
      analysis::row_entropies_bits(head->Q, head->K, first, block);
    });
    results.push_back({report::Object{{"head", {static_cast<report::Count>(head->number)}},
                                      {"name", {head->name}},
                                      {"bits", {report::Vector{bits}}}}});
  }
  report.results = {{"t", {report::Vector{{T, 1, fill_t}}}},
                    {"log2_t", {report::Vector{{T, 1, fill_log2_t}}}},
                    {"heads", {std::move(results)}}};

  report.lines.push_back({columns + "  (bits)"});
  const auto width = static_cast<Index>(heads.size()) + 2;
  report.lines.push_back({report::LazyMatrix(T, width, [heads](Index first, Block table) {
    fill_t(first, table.middleCols(0, 1));
    fill_log2_t(first, table.middleCols(1, 1));
    Index column = 2;
    for (const SharedHead& head : heads) {
      analysis::row_entropies_bits(head->Q, head->K, first, table.middleCols(column++, 1));
    }
  })});
  return report;
}

}  // namespace mha::commands
