#include "commands/entropy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "commands/own_model.h"

namespace mha::commands {
namespace {

void fill_t(Index first, Block t) {
  for (Index r = 0; r < t.rows(); ++r) t(r, 0) = static_cast<double>(first + r + 1);
}

void fill_log2_t(Index first, Block log2_t) {
  for (Index r = 0; r < log2_t.rows(); ++r) log2_t(r, 0) = std::log2(static_cast<double>(first + r + 1));
}

/// log₂ of how many keys each query may see, which no row entropy exceeds where none looks above the
/// diagonal; 0 for a query that sees none.
RowSource ceiling_of(const Heads& heads) {
  return [mask = heads.model->mask, T_k = heads.T_k()](Index first, Block ceiling) {
    for (Index r = 0; r < ceiling.rows(); ++r) {
      ceiling(r, 0) = std::log2(static_cast<double>(std::max<Index>(1, mask.seen(first + r, T_k))));
    }
  };
}

/// Whether query t may see t keys.
bool sees_its_past(const Heads& heads) {
  return heads.model->mask.diagonal == 0 && heads.T_q() <= heads.T_k();
}

report::Figure entropies_figure(const Heads& heads, std::vector<report::Curve> curves) {
  const char* ceiling = sees_its_past(heads) ? "log₂ t" : "log₂ n";
  return {
      "row_entropies",
      fmt::format("How selective each head is: row entropies, {}, {}", heads.sizes(), heads.source),
      fmt::format(
          "Curves of the row entropy in bits against the position t, one for each head, under the ceiling "
          "{} that a uniform row reaches. 0 bits is a row that looks at one position only.",
          sees_its_past(heads) ? "log2 t" : "log2 n, n keys being visible,"),
      1,
      false,
      {{"", report::Curves{
                {"position t", report::numbered("")},
                "row entropy (bits)",
                {fmt::format("ceiling {}", ceiling), {report::LazyMatrix(heads.T_q(), 1, ceiling_of(heads))}},
                std::move(curves)}}}};
}

}  // namespace

report::Report entropy(const HeadOptions& options) {
  const Heads heads = heads_of(options);
  report::Report report("entropy", heads.parameters);
  const Index T = heads.T_q();
  const RowSource ceiling = ceiling_of(heads);
  const std::string n = sees_its_past(heads) ? "t" : "n";

  std::string columns = fmt::format("columns: t, log2 {}", n);
  report::List results;
  std::vector<report::Curve> curves;
  for (const SharedHead& head : heads.shown) {
    columns += fmt::format(", head {}", head->number);
    curves.push_back({head->title(), {head->bits}, std::to_string(head->number)});
    results.push_back({report::Object{{"head", {static_cast<report::Count>(head->number)}},
                                      {"name", {head->any_name()}},
                                      {"bits", {report::Vector{head->bits}}}}});
  }
  report.results = {{"t", {report::Vector{{T, 1, fill_t}}}},
                    {"log2_t", {report::Vector{{T, 1, fill_log2_t}}}}};
  if (n == "n") report.results.push_back({"log2_n", {report::Vector{{T, 1, ceiling}}}});
  report.results.push_back({"heads", {std::move(results)}});

  report.lines.push_back({columns + "  (bits)"});
  const auto width = static_cast<Index>(heads.shown.size()) + 2;
  const auto fill_table = [shown = heads.shown, ceiling](Index first, Block table) {
    fill_t(first, table.middleCols(0, 1));
    ceiling(first, table.middleCols(1, 1));
    Index column = 2;
    for (const SharedHead& head : shown) head->bits.source()(first, table.middleCols(column++, 1));
  };
  report.lines.push_back({report::LazyMatrix(T, width, fill_table)});
  add_remarks(*heads.model, report);
  report.figures = {entropies_figure(heads, std::move(curves))};
  return report;
}

}  // namespace mha::commands
