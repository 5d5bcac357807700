#include "commands/concat.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "attention/multi_head.h"
#include "commands/params.h"

namespace mha::commands {
namespace {

report::List shape(const report::LazyMatrix& matrix) {
  return {{static_cast<report::Count>(matrix.rows())}, {static_cast<report::Count>(matrix.cols())}};
}

/// What the lesson's size() gives: the two sizes as a vector.
report::Vector size(const report::LazyMatrix& matrix) {
  Matrix sizes(2, 1);
  sizes << static_cast<double>(matrix.rows()), static_cast<double>(matrix.cols());
  return {std::move(sizes)};
}

report::Figure concatenation_figure(const PipelineOptions& options, const report::LazyMatrix& W_O,
                                    const report::LazyMatrix& O_concat, const report::LazyMatrix& O) {
  const auto panel = [](std::string title, const report::LazyMatrix& values, report::Axis rows,
                        report::Axis cols, std::string value_name) {
    return report::Panel{std::move(title),
                         report::Heatmap{values, report::Scale::kSigned, report::Mask::kNone, std::move(rows),
                                         std::move(cols), std::move(value_name)}};
  };
  return {"head_concatenation",
          fmt::format("Two heads through Concat and W_O ({}), T = {}, gain {}", options.wo, options.T,
                      options.gain),
          "Three heatmaps: W_O, whose rows read the columns of Concat and whose columns write the output "
          "channels; Concat, a row per token, head 1's columns beside head 2's; and their product O, a row "
          "per token. Red is positive, blue negative, white 0; each has its own scale.",
          3,
          false,
          {panel("W_O (H·d_v × d_model)", W_O, concat_axis(), channel_axis(), "weight"),
           panel("Concat = [O_1, O_2] (T × H·d_v)", O_concat, token_axis(), concat_axis(), "value"),
           panel("O = Concat · W_O (T × d_model)", O, token_axis(), channel_axis(), "value")}};
}

}  // namespace

report::Report concat(const PipelineOptions& options) {
  const lesson09::Pipeline pipeline = lesson_pipeline(options);
  const auto heads =
      std::make_shared<const std::vector<attention::Head>>(analysis::with_values(pipeline.X, pipeline.heads));
  const Matrix W_O = lesson09::output_projection(options.wo);

  const report::LazyMatrix O_concat(
      options.T, W_O.rows(), [heads](Index first, Block block) { attention::concat(*heads, first, block); },
      heads->size());
  const report::LazyMatrix O(
      options.T, W_O.cols(),
      [heads, W_O](Index first, Block block) { attention::multi_head_output(*heads, W_O, first, block); },
      heads->size());
  const analysis::ParameterCounts counts = lesson_parameter_counts();

  report::Report report{"concat", pipeline_parameters(options), {}, {}};
  report.lines = {
      {"Concat = [O_1, O_2]:", O_concat},
      {"O = Concat * W_O:", O},
      {"Concat shape =", size(O_concat), "   O shape =", size(O)},
      parameter_line(counts),
  };
  report.results = {{"O_concat", {O_concat}},
                    {"W_O", {report::LazyMatrix(W_O)}},
                    {"O", {O}},
                    {"concat_shape", {shape(O_concat)}},
                    {"out_shape", {shape(O)}},
                    {"n_qkv", {counts.n_qkv}},
                    {"n_wo", {counts.n_wo}},
                    {"n_tot", {counts.n_tot}}};
  report.figures = {concatenation_figure(options, W_O, O_concat, O)};
  return report;
}

}  // namespace mha::commands
