#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <memory>
#include <random>
#include <utility>

#include "commands/commands.h"
#include "commands/pipeline.h"
#include "input/formats/array_file.h"
#include "input/layers/settings.h"
#include "input/memory.h"

namespace mha::commands {
namespace {

/// A matrix, or one for each head, one below the other.
struct Drawn {
  const char* name;
  std::vector<Index> shape;
  Matrix rows;
};

/// What was drawn, as a file would have it: the layer is read as it will be from the file that is written.
class DrawnArrays : public input::ArrayFile {
 public:
  explicit DrawnArrays(const std::vector<Drawn>& drawn) : ArrayFile("sample"), drawn_(drawn) {
    for (const Drawn& one : drawn) add({one.name, "float64", one.shape});
  }

 private:
  void check_numbers(std::size_t /*number*/) const override {}
  void read_entries(std::size_t number, Index first, std::span<double> values) const override {
    std::copy_n(drawn_[number].rows.data() + first, values.size(), values.begin());
  }

  const std::vector<Drawn>& drawn_;
};

report::Value value_of(const Drawn& drawn) {
  if (drawn.shape.size() == 2) return report::LazyMatrix(drawn.rows);
  report::List heads;
  const Index T = drawn.shape[1];
  for (Index h = 0; h < drawn.shape[0]; ++h) heads.emplace_back(Matrix(drawn.rows.middleRows(h * T, T)));
  return heads;
}

/// A setting as a file has it.
report::Value value_of(const std::string& name, double number) {
  if (name == "causal") return number == 1.0;
  if (name == "rope_pairs")
    return text::name_of(static_cast<attention::RotaryPairs>(static_cast<int>(number)));
  return number;
}

report::Explanation sample_explanation() {
  return {
      "Numbers to test a kernel with",
      "Random inputs of one attention layer, and what attention makes of them. A kernel that is given Q, K, "
      "V and W_O has to return A, O_concat and O.",
      {report::Equation::kAttentionWeights, report::Equation::kConcat},
      {{"bench", "how fast this program's own kernel is"}},
      kLetters};
}

void declare(options::Options& options, SampleOptions& chosen) {
  options.add("--T", chosen.T, "N", "number of tokens");
  options.add("--d-model", chosen.d_model, "N", "width of the model, shared evenly by the heads");
  options.add("--H", chosen.H, "N", "how many heads");
  options.add("--kv-heads", chosen.kv_heads, "N", "key/value heads, shared evenly by the H heads")
      .default_is("H");
  options.add("--seed", chosen.seed, "N", "seed of the inputs");
  options.add("--set", chosen.set, "LIST", kSetHelp);
}

}  // namespace

report::Report sample(const SampleOptions& options) {
  const auto [T, d_model, H, kv, seed, set] = options;
  const Index kv_heads = kv.value_or(H);
  const auto whole = [](Index n) { return static_cast<report::Count>(n); };
  require_even_heads("--H", whole(H), "--d-model", whole(d_model));
  require_even_heads("--kv-heads", whole(kv_heads), "--H", whole(H));
  const auto width = static_cast<double>(d_model);
  // What is drawn, and as the heads have it; a row of A.
  input::require_memory(
      fmt::format("--T {}, --d-model {}", T, d_model),
      (static_cast<double>(T) * (6.0 * width + 1.0) + 2.0 * width * width) * sizeof(double));
  const Index d_k = d_model / H;

  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  std::vector<Drawn> drawn;
  const auto draw = [&](const char* name, std::vector<Index> shape) {
    const Index rows = shape.size() == 2 ? shape[0] : shape[0] * shape[1];
    Matrix made = Matrix::NullaryExpr(rows, shape.back(), [&] { return normal(engine); });
    drawn.push_back({name, std::move(shape), std::move(made)});
  };
  draw("Q", {H, T, d_k});
  draw("K", {kv_heads, T, d_k});
  draw("V", {kv_heads, T, d_k});
  draw("W_O", {d_model, d_model});
  input::LayerOptions as_read;
  as_read.set = set;
  const auto layer = std::make_shared<const attention::Layer>(
      input::read_layer(std::make_shared<const DrawnArrays>(drawn), as_read));
  const Pipeline pipeline = pipeline_of(layer);

  report::Report report(
      "sample",
      {{"T", T}, {"d_model", d_model}, {"H", H}, {"kv_heads", kv_heads}, {"d_k", d_k}, {"seed", seed}});
  for (const Drawn& one : drawn) report.results.emplace_back(one.name, value_of(one));
  const input::Settings settings(set);
  for (const std::string& name : input::Settings::names()) {
    if (const auto number = settings.number(name)) report.results.emplace_back(name, value_of(name, *number));
  }
  report::List A;
  for (const ShownHead& head : heads_of(layer, {}).shown) A.emplace_back(head.A);
  report.results.emplace_back("A", std::move(A));
  report.results.emplace_back("O_concat", pipeline.O_concat);
  report.results.emplace_back("O", pipeline.projections.front().O);
  report.lines = {{fmt::format("Q [{}, {}, {}], K and V [{}, {}, {}], W_O [{}, {}]", H, T, d_k, kv_heads, T,
                               d_k, d_model, d_model)},
                  {fmt::format("A [{}, {}, {}], O_concat and O [{}, {}]", H, T, T, T, d_model)},
                  {fmt::format("standard normal inputs, seed = {}{}{}", seed,
                               set.empty() ? "" : "; set: ", fmt::join(set, ", "))}};
  report.explanation = explained(sample_explanation(), *layer);
  return report;
}

constexpr std::array kSampleExamples = {
    "mha sample --output sample.npz", "mha sample --T 97 --d-model 80 --H 2 --kv-heads 1 --output sample.npz",
    "mha sample --set window=16,softcap=30 --output sample.npz"};
const Command kSample = {
    "sample",
    "random inputs and the right outputs, to test a kernel with",
    "Writes standard normal inputs Q [H, T, d_k], K and V [kv_heads, T, d_k] and W_O [d_model, d_model] and\n"
    "the right A [H, T, T], O_concat and O [T, d_model] beside them, as float64 arrays of a .npz; d_k is\n"
    "d_model/H, and A is causal unless --set causal=false. What --set gives is in the file too, so that\n"
    "mha compare --input sample.npz computes the same.",
    kSampleExamples,
    false,
    [](options::Options& options) { return declared<SampleOptions>(options, declare, sample); },
    true};

}  // namespace mha::commands
