#include "commands/params.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>

#include "commands/one_or_list.h"
#include "commands/own_model.h"
#include "commands/side_by_side.h"
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

report::Figure packed_figure(const report::LazyMatrix& W_Q_packed, Index H) {
  const Index d_k = W_Q_packed.cols() / H;
  const report::Axis features{"input feature", report::numbered("x")};
  const report::Axis queries{
      "query dimension", [d_k](Index c) { return fmt::format("h{}.q{}", c / d_k + 1, c % d_k + 1); }, d_k};
  return {
      "packed_wq",
      "The packed W_Q and its head slices",
      H == 1 ? "A heatmap of the packed query projection, d_model × d_k, which is the one head's own. Red is "
               "positive, blue negative, white 0."
      : H == 2 && d_k == 2
          ? "A heatmap of the packed query projection, d_model × H·d_k. Columns 1 and 2 are head 1's slice, "
            "columns 3 and 4, set apart from them, head 2's. Red is positive, blue negative, white 0."
          : fmt::format(
                "A heatmap of the packed query projection, d_model × H·d_k. The first {} head 1's slice, "
                "the next {} head 2's{}. Red is positive, blue negative, white 0.",
                d_k == 1 ? "column is" : fmt::format("{} columns are", d_k), d_k == 1 ? "one" : "ones",
                H == 2 ? "" : ", and so on"),
      1,
      false,
      {{fmt::format("W_Q = {} (d_model × H·d_k)", side_by_side("W_Q^", H)),
        report::Heatmap{W_Q_packed, report::Scale::kSigned, report::Mask::kNone, features, queries,
                        "weight"}}}};
}

/// max |Q_all(:, 1:d_k) − Q_1|: one product with the packed W_Q computes every head's queries.
double slice_deviation(const input::Model& model) {
  const Index d_k = model.W_Q.cols() / static_cast<Index>(model.heads.size());
  const Matrix Q_all = model.X * model.W_Q;
  const Matrix Q_1 = model.X * model.W_Q.leftCols(d_k);
  return (Q_all.leftCols(d_k) - Q_1).cwiseAbs().maxCoeff();
}

/// The packed W_Q, and that its first slice is head 1's own.
void add_packed_block(report::Report& report, const report::LazyMatrix& W_Q_packed, Index H,
                      double slice_err) {
  const Index d_k = W_Q_packed.cols() / H;
  report.lines.push_back({fmt::format("W_Q = {}:", side_by_side("W_Q^", H)), W_Q_packed});
  report.lines.push_back({fmt::format("max |Q_all(:, 1:{}) - Q_1| =", d_k), slice_err});
  report.figures = {packed_figure(W_Q_packed, H)};
  report.results.push_back({"W_Q_packed", {W_Q_packed}});
  report.results.push_back({"slice_err", {slice_err}});
}

report::Table table_of(const std::vector<Row>& rows) {
  report::Table table{{"H", "d_k", "W_Q+W_K+W_V", "W_O", "biases", "total"}, {}};
  for (const auto& [sizes, n] : rows) {
    table.rows.push_back({sizes.H, sizes.d_k, n.n_qkv, n.n_wo, n.n_bias, n.n_tot});
  }
  return table;
}

report::List results_of(const std::vector<Row>& rows) {
  report::List counts;
  for (const auto& [sizes, n] : rows) {
    counts.push_back({report::Object{{"H", {sizes.H}},
                                     {"d_k", {sizes.d_k}},
                                     {"n_qkv", {n.n_qkv}},
                                     {"n_wo", {n.n_wo}},
                                     {"n_bias", {n.n_bias}},
                                     {"n_tot", {n.n_tot}}}});
  }
  return counts;
}

/// The sizes and counts of a layer that was read; none where a width is not known or not every head's.
std::optional<Row> model_row(const input::Model& model) {
  const input::ModelHead& first = model.heads.front();
  const Index d_model = model.X.size() > 0 ? model.X.cols() : model.W_O.cols();
  if (!first.Q || !first.V || d_model == 0 || model.W_O.size() == 0) return std::nullopt;
  for (const input::ModelHead& head : model.heads) {
    if (!head.Q || !head.V || head.Q->cols() != first.Q->cols() || head.V->cols() != first.V->cols())
      return std::nullopt;
  }
  const auto whole = [](Index n) { return static_cast<analysis::Count>(n); };
  const analysis::BlockSizes sizes{
      whole(d_model), model.heads.size(),    whole(first.Q->cols()), whole(model.kv_heads),
      false,          whole(first.V->cols())};
  analysis::ParameterCounts counts = analysis::parameter_counts(sizes);
  counts.n_wo = whole(model.W_O.size());
  counts.n_bias = whole(model.biases);
  counts.n_tot = counts.n_qkv + counts.n_wo + counts.n_bias;
  return Row{sizes, counts};
}

/// Options that say what the file says too have to agree with it.
void require_agreement(const ParamsOptions& options, const Row& row, const input::Model& model) {
  const auto agree = [&](const char* name, const std::optional<analysis::Count>& given,
                         analysis::Count found) {
    if (!given || *given == found) return;
    throw std::invalid_argument(fmt::format("{} {}: {} has {}", name, *given, model.name, found));
  };
  agree("--d-model", options.d_model, row.sizes.d_model);
  agree("--d-k", options.d_k, row.sizes.d_k);
  agree("--kv-heads", options.kv_heads, row.sizes.kv_heads);
  if (options.bias && row.counts.n_bias == 0)
    throw std::invalid_argument(fmt::format("--bias: {} has no biases", model.name));
}

/// The counts of a person's own layer.
report::Report own_params(const ParamsOptions& options) {
  input::ModelOptions own = options.own;
  if (options.H) {
    if (options.H->size() > 1)
      throw std::invalid_argument(fmt::format("--H {}: {} is one layer and has one number of heads",
                                              fmt::join(*options.H, ","), own.file_name));
    own.H = static_cast<Index>(options.H->front());
  }
  const std::shared_ptr<const input::Model> model = own_model(own);
  const std::optional<Row> row = model_row(*model);
  if (!row) {
    throw std::invalid_argument(fmt::format(
        "{}: the parameters are counted from Q, K, V and W_O, of which not all are there", model->name));
  }
  require_agreement(options, *row, *model);
  report::Report report("params", own_parameters(*model, own));
  report.results = {{"counts", {results_of({*row})}}};
  const bool packed = model->W_Q.size() > 0;
  if (packed && model->biases == 0) {
    report.lines.push_back(parameter_line(row->counts));
  } else {
    report.lines.push_back({table_of({*row})});
  }
  if (packed)
    add_packed_block(report, report::LazyMatrix(model->W_Q), static_cast<Index>(model->heads.size()),
                     slice_deviation(*model));
  return report;
}

}  // namespace

analysis::ParameterCounts lesson_parameter_counts() { return count({}, kHeads).counts; }

report::Line parameter_line(const analysis::ParameterCounts& counts) {
  report::Line line = {"parameters: W_Q, W_K, W_V =", counts.n_qkv, "  W_O =", counts.n_wo};
  if (counts.n_bias > 0) line.insert(line.end(), {"  biases =", counts.n_bias});
  line.insert(line.end(), {"  total =", counts.n_tot});
  return line;
}

std::optional<analysis::ParameterCounts> model_counts(const input::Model& model) {
  const std::optional<Row> row = model_row(model);
  return row ? std::optional(row->counts) : std::nullopt;
}

report::Report params(const ParamsOptions& options) {
  if (!options.own.file.empty()) return own_params(options);
  const std::vector<analysis::Count> head_counts = options.H.value_or(std::vector{kHeads});
  std::vector<Row> rows;
  for (const analysis::Count H : head_counts) rows.push_back(count(options, H));

  report::Report report("params");
  report.parameters = {{"d_model", {options.d_model.value_or(kModelWidth)}}, {"H", one_or_list(head_counts)}};
  if (options.d_k) report.parameters.push_back({"d_k", {*options.d_k}});
  if (options.kv_heads) report.parameters.push_back({"kv_heads", {*options.kv_heads}});
  report.parameters.push_back({"bias", {options.bias}});

  report.results = {{"counts", {results_of(rows)}}};
  const bool lesson = !options.d_model && !options.H && !options.d_k && !options.kv_heads && !options.bias;
  if (lesson) {
    const lesson09::Pipeline pipeline =
        lesson09::two_head_pipeline(lesson09::kPipelineTokens, lesson09::kGain);
    report.lines = {parameter_line(rows.front().counts)};
    add_packed_block(report, lesson09::packed_W_Q(pipeline), lesson09::kPipelineHeads,
                     lesson09::slice_deviation(pipeline));
  } else {
    report.lines = {{table_of(rows)}};
  }
  return report;
}

}  // namespace mha::commands
