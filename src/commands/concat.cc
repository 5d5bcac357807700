#include "commands/concat.h"

#include <memory>

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

}  // namespace

report::Report concat(const PipelineOptions& options) {
  const auto heads =
      std::make_shared<const std::vector<attention::Head>>(lesson09::with_values(lesson_pipeline(options)));
  const Matrix W_O = lesson09::output_projection(options.wo);

  const report::LazyMatrix O_concat(
      options.T, W_O.rows(), [heads](Index first, Block block) { attention::concat(*heads, first, block); });
  const report::LazyMatrix O(options.T, W_O.cols(), [heads, W_O](Index first, Block block) {
    attention::multi_head_output(*heads, W_O, first, block);
  });
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
  return report;
}

}  // namespace mha::commands
