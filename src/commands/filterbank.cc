#include "commands/commands.h"

#include <fmt/format.h>

#include <array>
#include <stdexcept>
#include <utility>
#include <vector>

#include "analysis/filter_bank.h"
#include "analysis/rank.h"
#include "commands/pipeline.h"

namespace mha::commands {
namespace {

/// Terms side by side in the figure; more go on below.
constexpr Index kMostInARow = 4;

std::vector<RowSource> sources_of(const std::vector<report::LazyMatrix>& matrices) {
  std::vector<RowSource> sources;
  for (const report::LazyMatrix& matrix : matrices) sources.push_back(matrix.source());
  return sources;
}

/// O as the sum of its terms, row by row: the other side of the identity than Projection::O.
report::LazyMatrix sum_of(const Pipeline& pipeline, const Projection& projection) {
  return {projection.O.rows(), projection.O.cols(),
          [model = pipeline.layer, terms = sources_of(projection.terms)](Index first, Block rows) {
            analysis::sum_of_terms(terms, model->b_O, first, rows);
          }};
}

double deviation(const Pipeline& pipeline, const Projection& projection) {
  return analysis::largest_deviation(projection.O.rows(), projection.O.cols(), projection.O.source(),
                                     sources_of(projection.terms), pipeline.layer->b_O);
}

/// Of W_V^h W_O^(h); none where some W_V is not known.
std::vector<Index> map_ranks(const Pipeline& pipeline, const Projection& projection) {
  std::vector<Index> ranks;
  for (const attention::Head& head : pipeline.layer->heads) {
    if (head.W_V.size() == 0) return {};
    const auto h = static_cast<Index>(ranks.size());
    const Matrix W_O_h = analysis::synthesis_block(projection.W_O, h, head.W_V.cols());
    ranks.push_back(analysis::rank_of_product(head.W_V, W_O_h.transpose(), pipeline.layer->precision).rank);
  }
  return ranks;
}

/// A row of panels: the heads' terms, a plus between, an equals, and O.
void add_sum(std::vector<report::Panel>& panels, const Pipeline& pipeline, const Projection& projection) {
  const auto panel = [&](std::string title, report::LazyMatrix values) {
    return report::Panel{std::move(title), report::Heatmap{std::move(values), report::Scale::kSigned, nullptr,
                                                           pipeline.token_axis(), channel_axis(), "value"}};
  };
  Index h = 0;
  for (const report::LazyMatrix& term : projection.terms) {
    if (h++ > 0) panels.push_back({"", report::Sign{"+"}});
    panels.push_back(panel(fmt::format("head {}: {}", h, pipeline.term(std::to_string(h))), term));
  }
  const char* bias = pipeline.layer->b_O.size() > 0 ? " + b_O" : "";
  if (*bias != '\0') panels.back().title += bias;
  panels.push_back({"", report::Sign{"="}});
  panels.push_back(panel(projection.name.empty() ? fmt::format("O = Concat · W_O{}", bias)
                                                 : fmt::format("O = Concat · W_O ({})", projection.name),
                         sum_of(pipeline, projection)));
}

report::Figure bank_figure(const Pipeline& pipeline, std::vector<report::Panel> panels) {
  return {"filter_bank",
          fmt::format("Multi-head attention as a sum of filters, {}, {}", sizes_of(*pipeline.layer),
                      pipeline.title),
          fmt::format("For each W_O a row of heatmaps: what each head adds to the output, {}, a plus "
                      "between them, an equals, and the output O. Rows are tokens, columns output channels; "
                      "red is positive, blue negative, white 0, on one scale.",
                      pipeline.term("h")),
          pipeline.H() <= kMostInARow ? 2 * static_cast<std::size_t>(pipeline.H()) + 1 : 2 * kMostInARow,
          true,
          std::move(panels)};
}

std::vector<lesson09::Projection> projections_of(BankProjection wo) {
  if (wo == BankProjection::kAll) return {lesson09::kProjections.begin(), lesson09::kProjections.end()};
  return {lesson09::kProjections.at(static_cast<std::size_t>(wo))};
}

report::Explanation filterbank_explanation() {
  return {
      "Multi-head attention as a sum of filters",
      "There are two ways to the output: put the heads side by side and multiply by W_O, or let each head "
      "filter X along the tokens, send the result through its own channel map, and add up. The number is the "
      "largest difference between the two.",
      {report::Equation::kFilterBank},
      {{"filterbank --wo all --T 1000", "a thousand tokens, and the identity holds"},
       {"filterbank --T 50 --gain 0.1", "whatever the heads attend to"},
       {"exercise 1", "which output channels hear more than one head"}},
      kLetters};
}

}  // namespace

report::Report filterbank(const FilterbankOptions& options) {
  const Pipeline pipeline = pipeline_of(options.source, projections_of(options.wo));
  if (pipeline.projections.empty()) {
    throw std::invalid_argument(
        fmt::format("{}: has no W_O, and the identity is about it", pipeline.layer->name));
  }
  const bool every = pipeline.projections.size() > 1;

  report::Report report("filterbank", pipeline.parameters);
  report::List identities;
  std::vector<report::Panel> panels;
  std::vector<report::Line> rank_lines;
  const std::string sum = fmt::format("sum_h {}", pipeline.term("h"));
  const std::string left = pipeline.layer->b_O.size() > 0 ? fmt::format("Concat*W_O + b_O - ({} + b_O)", sum)
                                                          : fmt::format("Concat*W_O - {}", sum);
  for (const Projection& projection : pipeline.projections) {
    const double bank_err = deviation(pipeline, projection);
    const std::vector<Index> ranks = map_ranks(pipeline, projection);
    report.lines.push_back({fmt::format("max |{}| =", left), bank_err});
    if (every) {
      const std::string name = fmt::format("({})", projection.name);
      report.lines.back().emplace_back(name);
      report::Line& line = rank_lines.emplace_back();
      line.emplace_back(fmt::format("rank(W_V^h W_O^(h)) for heads 1..{}:", pipeline.H()));
      line.insert(line.end(), ranks.begin(), ranks.end());
      line.emplace_back(name);
    }
    add_sum(panels, pipeline, projection);
    report::Object identity;
    if (!projection.name.empty()) identity.emplace_back("wo", projection.name);
    identity.emplace_back("bank_err", bank_err);
    if (!ranks.empty()) identity.emplace_back("rank_W_V_W_O", report::List(ranks.begin(), ranks.end()));
    identities.emplace_back(std::move(identity));
  }
  report.lines.insert(report.lines.end(), rank_lines.begin(), rank_lines.end());
  report.results = {{"identities", std::move(identities)}};
  add_remarks(*pipeline.layer, report);
  report.figures = {bank_figure(pipeline, std::move(panels))};
  report.explanation = explained(filterbank_explanation(), *pipeline.layer);
  return report;
}

constexpr std::array kFilterbankExamples = {"mha filterbank", "mha filterbank --wo all --T 32"};
const Command kFilterbank = {
    "filterbank",
    "multi-head attention as a sum of filters",
    "The filter-bank identity Concat*W_O = sum_h A_h X W_V^h W_O^(h): the largest deviation between its\n"
    "two sides. With all, for every W_O, and the ranks of the channel maps W_V^h W_O^(h).",
    kFilterbankExamples,
    true,
    [](options::Options& options) {
      return declared<FilterbankOptions>(options, declare_pipeline<FilterbankOptions>, filterbank);
    }};

}  // namespace mha::commands
