#include "commands/params.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>

#include "lessons/09-multi-head-attention/heads.h"
#include "lessons/09-multi-head-attention/pipeline.h"

namespace mha::commands {
namespace {

constexpr analysis::Count kModelWidth = lesson09::kModelWidth;
constexpr analysis::Count kHeads = lesson09::kPipelineHeads;

struct Row {
  analysis::BlockSizes sizes;
  analysis::ParameterCounts counts;
};

/// The options that were given, as they were.
std::string given(const ParamsOptions& options) {
  std::vector<std::string> texts;
  if (options.d_model) texts.push_back(fmt::format("--d-model {}", *options.d_model));
  if (options.H) texts.push_back(fmt::format("--H {}", fmt::join(*options.H, ",")));
  if (options.d_k) texts.push_back(fmt::format("--d-k {}", *options.d_k));
  if (options.kv_heads) texts.push_back(fmt::format("--kv-heads {}", *options.kv_heads));
  return fmt::format("{}", fmt::join(texts, ", "));
}

Row count(const ParamsOptions& options, analysis::Count H) {
  const analysis::Count d_model = options.d_model.value_or(kModelWidth);
  if (!options.d_k && d_model % H != 0) {
    throw std::invalid_argument(
        d_model < H
            ? fmt::format("--H {}: --d-model {} is too narrow for {} heads; d_k would be 0", H, d_model, H)
            : fmt::format(
                  "--H {}: {} heads do not divide --d-model {} evenly (remainder {}); --d-k sets a width", H,
                  H, d_model, d_model % H));
  }
  const analysis::Count kv_heads = options.kv_heads.value_or(H);
  if (H % kv_heads != 0) {
    throw std::invalid_argument(fmt::format(
        "--kv-heads {}: {} key/value heads cannot be shared evenly by --H {} heads", kv_heads, kv_heads, H));
  }
  const analysis::BlockSizes sizes{d_model, H, options.d_k.value_or(d_model / H), kv_heads, options.bias};
  try {
    return {sizes, analysis::parameter_counts(sizes)};
  } catch (const std::overflow_error& e) {
    throw std::invalid_argument(fmt::format("{}: {}", given(options), e.what()));
  }
}

report::Figure packed_figure(const report::LazyMatrix& W_Q_packed) {
  const report::Axis features{"input feature", report::numbered("x")};
  const report::Axis queries{"query dimension",
                             [](Index c) {
                               return fmt::format("h{}.q{}", c / lesson09::kHeadWidth + 1,
                                                  c % lesson09::kHeadWidth + 1);
                             },
                             lesson09::kHeadWidth};
  return {"packed_wq",
          "The packed W_Q and its head slices",
          "A heatmap of the packed query projection, d_model × H·d_k. Columns 1 and 2 are head 1's slice, "
          "columns 3 and 4, set apart from them, head 2's. Red is positive, blue negative, white 0.",
          1,
          false,
          {{"W_Q = [W_Q^1, W_Q^2] (d_model × H·d_k)",
            report::Heatmap{W_Q_packed, report::Scale::kSigned, report::Mask::kNone, features, queries,
                            "weight"}}}};
}

/// The lesson's own block: the packed W_Q of the pipeline, and that its slices are the heads' own.
void add_lesson_block(report::Report& report, const analysis::ParameterCounts& counts) {
  const lesson09::Pipeline pipeline = lesson09::two_head_pipeline(lesson09::kPipelineTokens, lesson09::kGain);
  const report::LazyMatrix W_Q_packed = lesson09::packed_W_Q(pipeline);
  const double slice_err = lesson09::slice_deviation(pipeline);
  report.lines = {
      parameter_line(counts),
      {"W_Q = [W_Q^1, W_Q^2]:", W_Q_packed},
      {"max |Q_all(:, 1:2) - Q_1| =", slice_err},
  };
  report.figures = {packed_figure(W_Q_packed)};
  report.results.push_back({"W_Q_packed", {W_Q_packed}});
  report.results.push_back({"slice_err", {slice_err}});
}

}  // namespace

analysis::ParameterCounts lesson_parameter_counts() { return count({}, kHeads).counts; }

report::Line parameter_line(const analysis::ParameterCounts& counts) {
  return {"parameters: W_Q, W_K, W_V =", counts.n_qkv, "  W_O =", counts.n_wo, "  total =", counts.n_tot};
}

report::Report params(const ParamsOptions& options) {
  report::Table table{{"H", "d_k", "W_Q+W_K+W_V", "W_O", "biases", "total"}, {}};
  report::List counts;
  report::List H_list;
  std::vector<Row> rows;
  for (const analysis::Count H : options.H.value_or(std::vector{kHeads})) {
    const auto& [sizes, n] = rows.emplace_back(count(options, H));
    table.rows.push_back({H, sizes.d_k, n.n_qkv, n.n_wo, n.n_bias, n.n_tot});
    counts.push_back({report::Object{{"H", {H}},
                                     {"d_k", {sizes.d_k}},
                                     {"n_qkv", {n.n_qkv}},
                                     {"n_wo", {n.n_wo}},
                                     {"n_bias", {n.n_bias}},
                                     {"n_tot", {n.n_tot}}}});
    H_list.push_back({H});
  }

  report::Report report{"params", {}, {}, {}};
  report.parameters = {{"d_model", {options.d_model.value_or(kModelWidth)}},
                       {"H", H_list.size() == 1 ? H_list.front() : report::Value{H_list}}};
  if (options.d_k) report.parameters.push_back({"d_k", {*options.d_k}});
  if (options.kv_heads) report.parameters.push_back({"kv_heads", {*options.kv_heads}});
  report.parameters.push_back({"bias", {options.bias}});

  report.results = {{"counts", {std::move(counts)}}};
  const bool lesson = !options.d_model && !options.H && !options.d_k && !options.kv_heads && !options.bias;
  if (lesson) {
    add_lesson_block(report, rows.front().counts);
  } else {
    report.lines = {{std::move(table)}};
  }
  return report;
}

}  // namespace mha::commands
