#include "commands/concat.h"

#include <fmt/format.h>

#include <utility>

#include "commands/own_model.h"
#include "commands/params.h"
#include "commands/side_by_side.h"

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

report::Figure concatenation_figure(const Pipeline& pipeline) {
  const Index H = pipeline.H();
  const auto panel = [](std::string title, const report::LazyMatrix& values, report::Axis rows,
                        report::Axis cols, std::string value_name) {
    return report::Panel{std::move(title),
                         report::Heatmap{values, report::Scale::kSigned, report::Mask::kNone, std::move(rows),
                                         std::move(cols), std::move(value_name)}};
  };
  report::Figure figure{"head_concatenation", "", "", 1, false, {}};
  const std::string heads = H == 1 ? "One head" : H == 2 ? "Two heads" : fmt::format("{} heads", H);
  const report::Panel O_concat =
      panel(fmt::format("Concat = {} (T × H·d_v)", side_by_side("O_", H)), pipeline.O_concat,
            pipeline.token_axis(), pipeline.concat_axis(), "value");
  if (pipeline.projections.empty()) {
    figure.title = fmt::format("{} through Concat, {}, {}", heads, pipeline.sizes(), pipeline.source);
    figure.description =
        fmt::format("A heatmap of Concat, a row per token{}. Red is positive, blue negative, white 0.",
                    H == 1 ? "" : ", the heads' columns side by side");
    figure.panels = {O_concat};
    return figure;
  }
  const Projection& projection = pipeline.projections.front();
  figure.title = fmt::format("{} through Concat and W_O{}, {}, {}", heads,
                             projection.name.empty() ? "" : fmt::format(" ({})", projection.name),
                             pipeline.sizes(), pipeline.source);
  figure.description = fmt::format(
      "Three heatmaps: W_O, whose rows read the columns of Concat and whose columns write the output "
      "channels; Concat, a row per token{}; and their product O, a row "
      "per token. Red is positive, blue negative, white 0; each has its own scale.",
      H == 1   ? ""
      : H == 2 ? ", head 1's columns beside head 2's"
               : ", the heads' columns side by side");
  figure.columns = 3;
  figure.panels = {
      panel("W_O (H·d_v × d_model)", projection.W_O, pipeline.concat_axis(), channel_axis(), "weight"),
      O_concat,
      panel("O = Concat · W_O (T × d_model)", projection.O, pipeline.token_axis(), channel_axis(), "value")};
  return figure;
}

}  // namespace

report::Report concat(const PipelineOptions& options) {
  const Pipeline pipeline = pipeline_of(options);
  report::Report report("concat", pipeline.parameters);
  report.lines = {{fmt::format("Concat = {}:", side_by_side("O_", pipeline.H())), pipeline.O_concat}};
  report.results = {{"O_concat", {pipeline.O_concat}}};
  report::Line shapes = {"Concat shape =", size(pipeline.O_concat)};
  report::Object shape_results = {{"concat_shape", {shape(pipeline.O_concat)}}};
  if (!pipeline.projections.empty()) {
    const Projection& projection = pipeline.projections.front();
    report.lines.push_back(
        {pipeline.model->b_O.size() > 0 ? "O = Concat * W_O + b_O:" : "O = Concat * W_O:", projection.O});
    report.results.push_back({"W_O", {report::LazyMatrix(projection.W_O)}});
    report.results.push_back({"O", {projection.O}});
    shapes.insert(shapes.end(), {"   O shape =", size(projection.O)});
    shape_results.push_back({"out_shape", {shape(projection.O)}});
  }
  report.lines.push_back(std::move(shapes));
  report.results.insert(report.results.end(), shape_results.begin(), shape_results.end());
  if (const auto& counts = pipeline.counts) {
    report.lines.push_back(parameter_line(*counts));
    report.results.push_back({"n_qkv", {counts->n_qkv}});
    report.results.push_back({"n_wo", {counts->n_wo}});
    if (counts->n_bias > 0) report.results.push_back({"n_bias", {counts->n_bias}});
    report.results.push_back({"n_tot", {counts->n_tot}});
  }
  add_remarks(*pipeline.model, report);
  report.figures = {concatenation_figure(pipeline)};
  return report;
}

}  // namespace mha::commands
