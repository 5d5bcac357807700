#include "commands/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <random>
#include <stdexcept>
#include <utility>

#include "attention/multi_head.h"
#include "attention/progress.h"
#include "attention/threads.h"
#include "commands/layers.h"
#include "input/memory.h"

namespace mha::commands {
namespace {

using analysis::Count;

analysis::CausalCounts counts_for(const BenchOptions& options, Count H) {
  require_even_heads("--H", H, "--d-model", options.d_model);
  try {
    return analysis::causal_counts(options.T, options.d_model, H);
  } catch (const std::overflow_error& e) {
    throw std::invalid_argument(
        fmt::format("--T {}, --d-model {}: {}", options.T, options.d_model, e.what()));
  }
}

std::vector<attention::Head> normal_heads(const BenchOptions& options, Count H) {
  std::mt19937_64 engine(options.seed);
  std::normal_distribution<double> normal;
  const auto T = static_cast<Index>(options.T);
  const auto d_k = static_cast<Index>(options.d_model / H);
  const auto draw = [&] { return Matrix(Matrix::NullaryExpr(T, d_k, [&] { return normal(engine); })); };
  std::vector<attention::Head> heads;
  for (Count h = 0; h < H; ++h) {
    Matrix Q = draw();
    Matrix K = draw();
    heads.push_back(attention::head_of(std::move(Q), std::move(K), draw()));
  }
  return heads;
}

double milliseconds_of(const std::vector<attention::Head>& heads, Matrix& O_concat) {
  const auto start = std::chrono::steady_clock::now();
  attention::concat(heads, 0, O_concat);
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

/// Runs that are not counted: fresh memory is touched, the processor comes up to speed, and whatever ran
/// before has let go of it.
void warm_up(const std::vector<attention::Head>& heads, Matrix& O_concat) {
  constexpr double kMilliseconds = 50.0;
  for (double ms = 0.0; ms < kMilliseconds;) ms += milliseconds_of(heads, O_concat);
}

double median(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  const std::size_t middle = times.size() / 2;
  return times.size() % 2 == 1 ? times[middle] : 0.5 * (times[middle - 1] + times[middle]);
}

report::Explanation bench_explanation() {
  return {"One wide head and several narrow ones, timed",
          "Causal attention on random inputs as fast as the machine that made this page did it. The scores "
          "cost the same for any number of heads; each head adds exponentials of its own.",
          {report::Equation::kCausalPairs},
          {{"bench --T 2048 --H 1,2,4,8,16", "more tokens, more heads"},
           {"rank --H-big 1,4,8,16", "the same multiplications, counted"}},
          kLetters};
}

void declare_bench(options::Options& options, BenchOptions& chosen) {
  options.add("--T", chosen.T, "N", "number of tokens");
  options.add("--d-model", chosen.d_model, "N", "width of the model, shared evenly by the heads");
  options.add("--H", chosen.H, "LIST", "head counts, a row for each");
  options.add("--repeat", chosen.repeat, "N", "runs of each, of which the median counts");
  options.add("--seed", chosen.seed, "N", "seed of the inputs");
}

}  // namespace

report::Report bench(const BenchOptions& options) {
  // Q, K, V and O, and K and V packed.
  input::require_memory(
      fmt::format("--T {}, --d-model {}", options.T, options.d_model),
      6.0 * static_cast<double>(options.T) * static_cast<double>(options.d_model) * sizeof(double));
  for (const Count H : options.H) counts_for(options, H);  // all are checked before any is run

  const auto T = static_cast<Index>(options.T);
  const auto threads = static_cast<Count>(attention::threads());
  const double pairs = attention::causal_pairs(0.0, static_cast<double>(options.T));
  for (const Count H : options.H) attention::plan_pairs(static_cast<double>(options.repeat * H) * pairs);

  report::Table table{{"H", "d_k", "score FLOPs", "exponentials", "median ms", "GFLOP/s"}, {}};
  report::List runs;
  for (const Count H : options.H) {
    const std::vector<attention::Head> heads = normal_heads(options, H);
    Matrix O_concat(T, static_cast<Index>(options.d_model));
    warm_up(heads, O_concat);
    std::vector<double> times;
    for (Count i = 0; i < options.repeat; ++i) {
      times.push_back(milliseconds_of(heads, O_concat));
      attention::finish_pairs(static_cast<double>(H) * pairs);
    }
    const analysis::CausalCounts counts = counts_for(options, H);
    const double ms = median(std::move(times));
    const double gflops =
        (static_cast<double>(counts.score_flops) + static_cast<double>(counts.value_flops)) / ms * 1e-6;
    table.rows.push_back({H, options.d_model / H, counts.score_flops, counts.exponentials,
                          report::Decimals{{ms}, 3}, report::Decimals{{gflops}, 1}});
    runs.push_back(report::Object{{"T", options.T},
                                  {"d_model", options.d_model},
                                  {"H", H},
                                  {"threads", threads},
                                  {"score_flops", counts.score_flops},
                                  {"exponentials", counts.exponentials},
                                  {"median_ms", ms},
                                  {"gflops", gflops}});
  }

  report::Report report("bench", {{"T", options.T},
                                  {"d_model", options.d_model},
                                  {"H", one_or_list(options.H)},
                                  {"repeat", options.repeat},
                                  {"threads", threads},
                                  {"seed", options.seed}});
  report.results = {{"runs", std::move(runs)}};
  report.lines = {
      {fmt::format("causal attention (Q K', softmax, A V) in double, T = {}, d_model = {}, threads = {}, "
                   "median of {}",
                   options.T, options.d_model, threads, options.repeat)},
      {std::move(table)},
      {"Causal FLOPs: the T(T+1)/2 pairs that a causal row may see, a multiply-add counting two; "
       "GFLOP/s counts Q K' and A V."}};
  report.explanation = bench_explanation();
  return report;
}

constexpr std::array kBenchExamples = {"mha bench", "mha bench --T 2048 --H 1,2,4,8,16",
                                       "mha bench --T 4096 --H 8 --repeat 1"};
const Command kBench = {
    "bench",
    "what one wide head and several narrow ones cost, measured",
    "Causal attention (scores, softmax, A*V, in double) on normal random inputs, timed for each\n"
    "head count: H narrow heads cost what one wide head costs, but for the exponentials.",
    kBenchExamples,
    false,
    [](options::Options& options) { return declared<BenchOptions>(options, declare_bench, bench); }};

}  // namespace mha::commands
