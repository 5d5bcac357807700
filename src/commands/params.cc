#include "commands/commands.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <stdexcept>

#include "analysis/filter_bank.h"
#include "commands/pipeline.h"

namespace mha::commands {
namespace {

constexpr analysis::Count kModelWidth = lesson09::kModelWidth;
constexpr analysis::Count kHeads = lesson09::kPipelineHeads;

/// The options that were given, as they were.
std::string given(const ParamsOptions& options) {
  std::vector<std::string> texts;
  if (options.d_model) texts.push_back(fmt::format("--d-model {}", *options.d_model));
  if (options.H) texts.push_back(fmt::format("--H {}", fmt::join(*options.H, ",")));
  if (options.d_k) texts.push_back(fmt::format("--d-k {}", *options.d_k));
  if (options.kv_heads) texts.push_back(fmt::format("--kv-heads {}", *options.kv_heads));
  return fmt::format("{}", fmt::join(texts, ", "));
}

SizesAndCounts count(const ParamsOptions& options, analysis::Count H) {
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
        report::Heatmap{W_Q_packed, report::Scale::kSigned, nullptr, features, queries, "weight"}}}};
}

/// The packed W_Q, and that its first slice gives head 1's queries.
void add_packed_block(report::Report& report, const attention::Layer& layer) {
  const Index H = layer.H();
  const report::LazyMatrix W_Q_packed(layer.W_Q);
  const double slice_err = analysis::slice_deviation(layer);
  report.lines.push_back({fmt::format("W_Q = {}:", side_by_side("W_Q^", H)), W_Q_packed});
  report.lines.push_back({fmt::format("max |Q_all(:, 1:{}) - Q_1| =", W_Q_packed.cols() / H), slice_err});
  report.figures = {packed_figure(W_Q_packed, H)};
  report.results.emplace_back("W_Q_packed", W_Q_packed);
  report.results.emplace_back("slice_err", slice_err);
}

/// A row for each, in results; in lines one sentence if `lesson`, a table otherwise.
void add_counts(report::Report& report, const std::vector<SizesAndCounts>& rows, bool lesson) {
  report::Table table{{"H", "d_k", "W_Q+W_K+W_V", "W_O", "biases", "total"}, {}};
  report::List counts;
  for (const auto& [sizes, n] : rows) {
    table.rows.push_back({sizes.H, sizes.d_k, n.n_qkv, n.n_wo, n.n_bias, n.n_tot});
    counts.push_back(report::Object{{"H", sizes.H},
                                    {"d_k", sizes.d_k},
                                    {"n_qkv", n.n_qkv},
                                    {"n_wo", n.n_wo},
                                    {"n_bias", n.n_bias},
                                    {"n_tot", n.n_tot}});
  }
  report.lines.push_back(lesson ? parameter_line(rows.front().counts) : report::Line{std::move(table)});
  report.results.emplace_back("counts", std::move(counts));
}

/// Options that say what the file says too have to agree with it.
void require_agreement(const ParamsOptions& options, const SizesAndCounts& row,
                       const attention::Layer& layer) {
  const auto agree = [&](const char* name, const std::optional<analysis::Count>& given,
                         analysis::Count found) {
    if (!given || *given == found) return;
    throw std::invalid_argument(fmt::format("{} {}: {} has {}", name, *given, layer.name, found));
  };
  agree("--d-model", options.d_model, row.sizes.d_model);
  agree("--d-k", options.d_k, row.sizes.d_k);
  agree("--kv-heads", options.kv_heads, row.sizes.kv_heads);
  if (options.bias && row.counts.n_bias == 0)
    throw std::invalid_argument(fmt::format("--bias: {} has no biases", layer.name));
}

/// The counts of a file's layer.
report::Report params_of_file(const ParamsOptions& options) {
  Source source{.file = options.file};
  if (options.H) {
    if (options.H->size() > 1)
      throw std::invalid_argument(
          fmt::format("--H {}: the file has one layer with one number of heads", fmt::join(*options.H, ",")));
    source.file.H = static_cast<Index>(options.H->front());
  }
  const Loaded loaded = load_heads(source);
  const attention::Layer& layer = *loaded.layer;
  const std::optional<SizesAndCounts> row = counts_of(layer);
  if (!row) {
    throw std::invalid_argument(fmt::format(
        "{}: the parameters are counted from Q, K, V and W_O, of which not all are there", layer.name));
  }
  require_agreement(options, *row, layer);
  report::Report report("params", loaded.parameters);
  const bool packed = layer.W_Q.size() > 0;
  add_counts(report, {*row}, packed && layer.biases == 0);
  if (packed) add_packed_block(report, layer);
  report.notes = layer.notes;
  report.results.emplace_back("unused", report::List(layer.unused.begin(), layer.unused.end()));
  return report;
}

report::Explanation params_explanation() {
  return {"Parameter count",
          "How many weights the four projections have. As long as d_k is d_model/H, the heads share the same "
          "columns and the total does not depend on how many heads there are.",
          {report::Equation::kParameters},
          {{"params --d-model 384 --H 1,2,4,6,8,12", "six head counts, one total"},
           {"params --d-model 512 --H 8,16 --d-k 64",
            "heads of a fixed width: twice the heads, twice the weights"},
           {"params --d-model 4096 --H 32 --kv-heads 8", "four query heads to a key/value head"}},
          kLetters};
}

report::Report params_of_sizes(const ParamsOptions& options) {
  const std::vector<analysis::Count> head_counts = options.H.value_or(std::vector{kHeads});
  std::vector<SizesAndCounts> rows;
  for (const analysis::Count H : head_counts) rows.push_back(count(options, H));

  report::Report report("params");
  report.parameters = {{"d_model", options.d_model.value_or(kModelWidth)}, {"H", one_or_list(head_counts)}};
  if (options.d_k) report.parameters.emplace_back("d_k", *options.d_k);
  if (options.kv_heads) report.parameters.emplace_back("kv_heads", *options.kv_heads);
  report.parameters.emplace_back("bias", options.bias);

  const bool lesson = !options.d_model && !options.H && !options.d_k && !options.kv_heads && !options.bias;
  add_counts(report, rows, lesson);
  if (lesson)
    add_packed_block(report, lesson09::two_head_pipeline(lesson09::kPipelineTokens, lesson09::kGain));
  return report;
}

void declare_params(options::Options& options, ParamsOptions& chosen) {
  declare_file(options, chosen.file, {.own_H = true});
  options.add("--d-model", chosen.d_model, "N", "width of the model").default_is("4");
  options.add("--H", chosen.H, "LIST", "head counts, a row for each; with --input how many heads are packed")
      .default_is("2");
  options.add("--d-k", chosen.d_k, "N", "width of a head").default_is("d_model/H");
  options.add("--kv-heads", chosen.kv_heads, "N", "key/value heads, shared evenly by the H heads")
      .default_is("H");
  options.flag("--bias", chosen.bias, "count a bias for each output of W_Q, W_K, W_V and W_O");
}

}  // namespace

report::Report params(const ParamsOptions& options) {
  report::Report report = options.file.path.empty() ? params_of_sizes(options) : params_of_file(options);
  report.explanation = params_explanation();
  return report;
}

constexpr std::array kParamsExamples = {"mha params", "mha params --d-model 384 --H 1,2,4,6,8,12",
                                        "mha params --d-model 4096 --H 32 --kv-heads 8"};
const Command kParams = {
    "params",
    "how many parameters an attention block has",
    "Parameters of W_Q, W_K, W_V and W_O: 4*d_model^2 when d_k = d_model/H. Without options, the lesson's\n"
    "count, its packed W_Q and the slice error.",
    kParamsExamples,
    true,
    [](options::Options& options) { return declared<ParamsOptions>(options, declare_params, params); }};

}  // namespace mha::commands
