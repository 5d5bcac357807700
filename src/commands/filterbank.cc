#include "commands/filterbank.h"

#include <fmt/format.h>

#include <memory>
#include <utility>
#include <vector>

#include "analysis/filter_bank.h"
#include "analysis/rank.h"

namespace mha::commands {
namespace {

using SharedPipeline = std::shared_ptr<const lesson09::Pipeline>;

std::vector<Index> channel_map_ranks(const lesson09::Pipeline& pipeline, const Matrix& W_O) {
  std::vector<Index> ranks;
  Index h = 0;
  for (const analysis::BankHead& head : pipeline.heads) {
    const Matrix block = analysis::synthesis_block(W_O, h++, head.W_V.cols());
    ranks.push_back(analysis::rank_of_product(head.W_V, block.transpose()).rank);
  }
  return ranks;
}

/// A row of panels: the heads' terms, a plus between, an equals, and O.
void add_sum(std::vector<report::Panel>& panels, const SharedPipeline& pipeline, const std::string& name) {
  const auto panel = [](std::string title, report::LazyMatrix values) {
    return report::Panel{std::move(title),
                         report::Heatmap{std::move(values), report::Scale::kSigned, report::Mask::kNone,
                                         token_axis(), channel_axis(), "value"}};
  };
  const Matrix W_O = lesson09::output_projection(name);
  const Index T = pipeline->X.rows();
  const auto heads = static_cast<Index>(pipeline->heads.size());
  for (Index h = 0; h < heads; ++h) {
    const report::LazyMatrix term(T, W_O.cols(), [pipeline, W_O, h](Index first, Block block) {
      analysis::filter_bank_term(pipeline->X, pipeline->heads, W_O, h, first, block);
    });
    if (h > 0) panels.push_back({"", report::Sign{"+"}});
    panels.push_back(panel(fmt::format("head {0}: A_{0} X W_V^{0} W_O^({0})", h + 1), term));
  }
  panels.push_back({"", report::Sign{"="}});
  panels.push_back(panel(fmt::format("O = Concat · W_O ({})", name),
                         {T, W_O.cols(), [pipeline, W_O](Index first, Block block) {
                            analysis::filter_bank_sum(pipeline->X, pipeline->heads, W_O, first, block);
                          }}));
}

report::Figure bank_figure(const PipelineOptions& options, std::vector<report::Panel> panels) {
  return {"filter_bank",
          fmt::format("Multi-head attention as a sum of filters, T = {}, gain {}", options.T, options.gain),
          "For each W_O a row of heatmaps: what each head adds to the output, A_h X W_V^h W_O^(h), a plus "
          "between them, an equals, and the output O. Rows are tokens, columns output channels; red is "
          "positive, blue negative, white 0, on one scale.",
          2 * static_cast<std::size_t>(lesson09::kPipelineHeads) + 1,
          true,
          std::move(panels)};
}

}  // namespace

report::Report filterbank(const PipelineOptions& options) {
  const bool every = options.wo == kEveryProjection;
  const std::vector<std::string> names = every ? lesson09::kOutputProjections : std::vector{options.wo};
  const auto pipeline = std::make_shared<const lesson09::Pipeline>(lesson_pipeline(options));

  report::Report report{"filterbank", pipeline_parameters(options), {}, {}};
  report::List identities;
  std::vector<report::Panel> panels;
  std::vector<report::Line> rank_lines;
  for (const std::string& name : names) {
    const Matrix W_O = lesson09::output_projection(name);
    const double bank_err = analysis::filter_bank_deviation(pipeline->X, pipeline->heads, W_O);
    report::Line line{"max |Concat*W_O - sum_h A_h X W_V^h W_O^(h)| =", bank_err};
    report::Line rank_line{"rank(W_V^h W_O^(h)) for heads 1..2:"};
    report::List ranks;
    for (const Index rank : channel_map_ranks(*pipeline, W_O)) {
      rank_line.emplace_back(static_cast<report::Count>(rank));
      ranks.push_back({static_cast<report::Count>(rank)});
    }
    if (every) {
      line.emplace_back(fmt::format("({})", name));
      rank_line.emplace_back(fmt::format("({})", name));
      rank_lines.push_back(std::move(rank_line));
    }
    report.lines.push_back(std::move(line));
    add_sum(panels, pipeline, name);
    identities.push_back(
        {report::Object{{"wo", {name}}, {"bank_err", {bank_err}}, {"rank_W_V_W_O", {std::move(ranks)}}}});
  }
  report.lines.insert(report.lines.end(), rank_lines.begin(), rank_lines.end());
  report.results = {{"identities", {std::move(identities)}}};
  report.figures = {bank_figure(options, std::move(panels))};
  return report;
}

}  // namespace mha::commands
