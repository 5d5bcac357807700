#include "commands/commands.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "commands/pipeline.h"

namespace mha::commands {
namespace {

/// What the lesson's size() gives: the two sizes as a vector.
report::Vector size(const report::LazyMatrix& matrix) {
  return {Matrix(Eigen::Vector2d(static_cast<double>(matrix.rows()), static_cast<double>(matrix.cols())))};
}

report::Figure concatenation_figure(const Pipeline& pipeline) {
  const Index H = pipeline.H();
  const auto panel = [](std::string title, const report::LazyMatrix& values, report::Axis rows,
                        report::Axis cols, std::string value_name) {
    return report::Panel{std::move(title),
                         report::Heatmap{values, report::Scale::kSigned, nullptr, std::move(rows),
                                         std::move(cols), std::move(value_name)}};
  };
  report::Figure figure{"head_concatenation", "", "", 1, false, {}};
  const std::string heads = H == 1 ? "One head" : H == 2 ? "Two heads" : fmt::format("{} heads", H);
  const report::Panel O_concat =
      panel(fmt::format("Concat = {} (T × H·d_v)", side_by_side("O_", H)), pipeline.O_concat,
            pipeline.token_axis(), pipeline.concat_axis(), "value");
  if (pipeline.projections.empty()) {
    figure.title = fmt::format("{} through Concat, {}, {}", heads, sizes_of(*pipeline.layer), pipeline.title);
    figure.description =
        fmt::format("A heatmap of Concat, a row per token{}. Red is positive, blue negative, white 0.",
                    H == 1 ? "" : ", the heads' columns side by side");
    figure.panels = {O_concat};
    return figure;
  }
  const Projection& projection = pipeline.projections.front();
  figure.title = fmt::format("{} through Concat and W_O{}, {}, {}", heads,
                             projection.name.empty() ? "" : fmt::format(" ({})", projection.name),
                             sizes_of(*pipeline.layer), pipeline.title);
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

report::Explanation concat_explanation() {
  return {
      "Concatenation and output projection",
      "Each head returns its own average of the values. Concat sets them side by side, a block of columns for "
      "each head, and W_O turns that into the output channels. An output channel hears several heads only if "
      "W_O lets it.",
      {report::Equation::kConcat},
      {{"concat --wo identity", "the output is Concat itself: no channel hears more than one head"},
       {"concat --wo swap", "the halves change places, and still no channel hears both"},
       {"concat --gain 0", "head 1 becomes uniform too"}},
      kLetters};
}

}  // namespace

report::Report concat(const ConcatOptions& options) {
  const Pipeline pipeline = pipeline_of(options.source, {options.wo});
  report::Report report("concat", pipeline.parameters);
  report.lines = {{fmt::format("Concat = {}:", side_by_side("O_", pipeline.H())), pipeline.O_concat}};
  report.results = {{"O_concat", pipeline.O_concat}};
  const auto shape = [](const report::LazyMatrix& matrix) -> report::List {
    return {matrix.rows(), matrix.cols()};
  };
  report::Line shapes = {"Concat shape =", size(pipeline.O_concat)};
  report::Object shape_results = {{"concat_shape", shape(pipeline.O_concat)}};
  if (!pipeline.projections.empty()) {
    const Projection& projection = pipeline.projections.front();
    report.lines.push_back(
        {pipeline.layer->b_O.size() > 0 ? "O = Concat * W_O + b_O:" : "O = Concat * W_O:", projection.O});
    report.results.emplace_back("W_O", report::LazyMatrix(projection.W_O));
    report.results.emplace_back("O", projection.O);
    shapes.insert(shapes.end(), {"   O shape =", size(projection.O)});
    shape_results.emplace_back("out_shape", shape(projection.O));
  }
  report.lines.push_back(std::move(shapes));
  report.results.insert(report.results.end(), shape_results.begin(), shape_results.end());
  if (const auto& counts = pipeline.counts) {
    report.lines.push_back(parameter_line(*counts));
    report.results.emplace_back("n_qkv", counts->n_qkv);
    report.results.emplace_back("n_wo", counts->n_wo);
    if (counts->n_bias > 0) report.results.emplace_back("n_bias", counts->n_bias);
    report.results.emplace_back("n_tot", counts->n_tot);
  }
  add_remarks(*pipeline.layer, report);
  report.figures = {concatenation_figure(pipeline)};
  report.explanation = explained(concat_explanation(), *pipeline.layer);
  report.explanation.attends.has_W_O = !pipeline.projections.empty();
  return report;
}

constexpr std::array kConcatExamples = {"mha concat --T 4", "mha concat --wo swap --format json"};
const Command kConcat = {
    "concat",
    "two heads through Concat and W_O",
    "The two-head pipeline: Concat = [O_1, O_2], O = Concat*W_O, their shapes and the parameter count.\n"
    "X is T x 4 with ones on its diagonal.",
    kConcatExamples,
    true,
    [](options::Options& options) {
      return declared<ConcatOptions>(options, declare_pipeline<ConcatOptions>, concat);
    }};

}  // namespace mha::commands
