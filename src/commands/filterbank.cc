#include "commands/filterbank.h"

#include <fmt/format.h>

#include <vector>

#include "analysis/filter_bank.h"
#include "analysis/rank.h"

namespace mha::commands {
namespace {

std::vector<Index> channel_map_ranks(const lesson09::Pipeline& pipeline, const Matrix& W_O) {
  std::vector<Index> ranks;
  Index h = 0;
  for (const analysis::BankHead& head : pipeline.heads) {
    const Matrix block = analysis::synthesis_block(W_O, h++, head.W_V.cols());
    ranks.push_back(analysis::rank_of_product(head.W_V, block.transpose()).rank);
  }
  return ranks;
}

}  // namespace

report::Report filterbank(const PipelineOptions& options) {
  const bool every = options.wo == kEveryProjection;
  const std::vector<std::string> names = every ? lesson09::kOutputProjections : std::vector{options.wo};
  const lesson09::Pipeline pipeline = lesson_pipeline(options);

  report::Report report{"filterbank", pipeline_parameters(options), {}, {}};
  report::List identities;
  std::vector<report::Line> rank_lines;
  for (const std::string& name : names) {
    const Matrix W_O = lesson09::output_projection(name);
    const double bank_err = analysis::filter_bank_deviation(pipeline.X, pipeline.heads, W_O);
    report::Line line{"max |Concat*W_O - sum_h A_h X W_V^h W_O^(h)| =", bank_err};
    report::Line rank_line{"rank(W_V^h W_O^(h)) for heads 1..2:"};
    report::List ranks;
    for (const Index rank : channel_map_ranks(pipeline, W_O)) {
      rank_line.emplace_back(static_cast<report::Count>(rank));
      ranks.push_back({static_cast<report::Count>(rank)});
    }
    if (every) {
      line.emplace_back(fmt::format("({})", name));
      rank_line.emplace_back(fmt::format("({})", name));
      rank_lines.push_back(std::move(rank_line));
    }
    report.lines.push_back(std::move(line));
    identities.push_back(
        {report::Object{{"wo", {name}}, {"bank_err", {bank_err}}, {"rank_W_V_W_O", {std::move(ranks)}}}});
  }
  report.lines.insert(report.lines.end(), rank_lines.begin(), rank_lines.end());
  report.results = {{"identities", {std::move(identities)}}};
  return report;
}

}  // namespace mha::commands
