#include "commands/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

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
  return [mask = heads.layer->rules.mask, T_k = heads.T_k()](Index first, Block ceiling) {
    for (Index r = 0; r < ceiling.rows(); ++r) {
      ceiling(r, 0) = std::log2(static_cast<double>(std::max<Index>(1, mask.visible(first + r, T_k))));
    }
  };
}

report::Figure entropies_figure(const Heads& heads, std::vector<report::Curve> curves) {
  const char* ceiling = sees_its_past(*heads.layer) ? "log₂ t" : "log₂ n";
  return {
      "row_entropies",
      fmt::format("How selective each head is: row entropies, {}, {}", sizes_of(*heads.layer), heads.title),
      fmt::format(
          "Curves of the row entropy in bits against the position t, one for each head, under the ceiling "
          "{} that a uniform row reaches. 0 bits is a row that looks at one position only.",
          sees_its_past(*heads.layer) ? "log2 t" : "log2 n for n visible keys,"),
      1,
      false,
      {{"", report::Curves{
                {"position t", report::numbered("")},
                "row entropy (bits)",
                {fmt::format("ceiling {}", ceiling), {report::LazyMatrix(heads.T_q(), 1, ceiling_of(heads))}},
                std::move(curves)}}}};
}

report::Explanation entropy_explanation(const std::string& n) {
  return {
      "Selectivity in bits",
      fmt::format(
          "How many bits a row spends: 0 if it looks at one position only, log₂ {0} if it spreads evenly "
          "over all {0} that it may see. Two to the power of the bits is the effective number of positions "
          "that the row blends.",
          n),
      {report::Equation::kRowEntropy},
      {{"entropy --gain 9 --heads 1", "head 1 with keys three times as long"},
       {"entropy --gain 0", "every head at the ceiling"},
       {"entropy --T 12 --full", "twice the tokens: which heads keep rising, and which level off?"},
       {"inspect", "what each head does, and which heads do the same", report::NextStep::After::kFile}},
      kLetters};
}

}  // namespace

report::Report entropy(const HeadOptions& options) {
  const Heads heads = heads_of(options);
  report::Report report("entropy", heads.parameters);
  const Index T = heads.T_q();
  const RowSource ceiling = ceiling_of(heads);
  const std::string n = sees_its_past(*heads.layer) ? "t" : "n";

  std::string columns = fmt::format("columns: t, log2 {}", n);
  report::List results;
  std::vector<report::Curve> curves;
  for (const ShownHead& head : heads.shown) {
    columns += fmt::format(", head {}", head.number);
    curves.push_back({head.title(), {head.bits}, std::to_string(head.number)});
    results.push_back(report::Object{
        {"head", head.number}, {"name", head.any_name()}, {"bits", report::Vector{head.bits}}});
  }
  report.results = {{"t", report::Vector{{T, 1, fill_t}}}, {"log2_t", report::Vector{{T, 1, fill_log2_t}}}};
  if (n == "n") report.results.emplace_back("log2_n", report::Vector{{T, 1, ceiling}});
  report.results.emplace_back("heads", std::move(results));

  const auto width = static_cast<Index>(heads.shown.size()) + 2;
  const auto fill_table = [shown = heads.shown, ceiling](Index first, Block table) {
    fill_t(first, table.middleCols(0, 1));
    ceiling(first, table.middleCols(1, 1));
    Index column = 2;
    for (const ShownHead& head : shown) head.bits.source()(first, table.middleCols(column++, 1));
  };
  report.lines = {{columns + "  (bits)"}, {report::LazyMatrix(T, width, fill_table)}};
  add_remarks(*heads.layer, report);
  report.figures = {entropies_figure(heads, std::move(curves))};
  report.explanation = explained(entropy_explanation(n), *heads.layer);
  return report;
}

constexpr std::array kEntropyExamples = {"mha entropy", "mha entropy --gain 9 --heads 1"};
const Command kEntropy = {
    "entropy",
    "how selective each head is, in bits",
    "Row entropies of A_h in bits beside their ceiling log2 t. 2^bits is how many positions a query\n"
    "blends.",
    kEntropyExamples,
    true,
    [](options::Options& options) { return declared<HeadOptions>(options, declare_heads, entropy); }};

}  // namespace mha::commands
