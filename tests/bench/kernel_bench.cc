// What the kernel's parts take, for every instruction set that this processor has: `make bench`.
//
// The rate is in FLOPs where a part is made of multiply-adds (each counts two, and only the pairs that a
// causal row may see count), in pairs of a query and a key where it is made of exponentials, and in bytes
// where it only moves numbers.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include "attention/aligned_doubles.h"
#include "attention/kernel/kernel.h"
#include "attention/multi_head.h"
#include "attention/progress.h"
#include "attention/row_blocks.h"
#include "attention/threads.h"
#include "tests/support/random.h"

namespace mha::test {
namespace {

using attention::AlignedDoubles;
using attention::kernel::Kernel;
using attention::kernel::PackedHead;

/// A head of T tokens, packed for one kernel, and room for the last rows of its results.
struct Fixture {
  Fixture(const Kernel& chosen, Index tokens, Index width)
      : kernel(chosen),
        T(tokens),
        d(width),
        rows(std::min(T, attention::block_height(kernel, d, d, (T + kernel.tile - 1) / kernel.tile, 1))),
        K_panels(static_cast<std::size_t>((T + kernel.panel) * d)),
        V_panels(static_cast<std::size_t>(T * d)),
        scratch(kernel.scratch_size(d, d, rows)) {
    std::mt19937 engine(1);
    for (Matrix* matrix : {&Q, &K, &V}) *matrix = random_matrix(T, d, engine);
    pack();
    const long double scale = 1.0L / std::sqrt(static_cast<long double>(d));
    packed = {{Q.data(), d}, K_panels.data(), V_panels.data(), T, d, d, 1.0, scale};
    packed.all_keys = T;
  }

  void pack() const {
    kernel.pack_keys({K.data(), d}, 0, T, d, K_panels.data());
    kernel.pack_values({V.data(), d}, 0, T, T, d, V_panels.data());
  }

  /// The pairs that the last rows see.
  [[nodiscard]] double pairs() const {
    return attention::causal_pairs(static_cast<double>(T - rows), static_cast<double>(rows));
  }

  const Kernel& kernel;
  Index T;
  Index d;
  Index rows;
  Matrix Q;
  Matrix K;
  Matrix V;
  AlignedDoubles K_panels;
  AlignedDoubles V_panels;
  AlignedDoubles scratch;
  PackedHead packed{};
};

void rate(benchmark::State& state, const char* unit, double each) {
  state.counters[unit] = benchmark::Counter(each * static_cast<double>(state.iterations()),
                                            benchmark::Counter::kIsRate, benchmark::Counter::kIs1000);
}

void pack(benchmark::State& state, const Kernel* kernel) {
  const Fixture head(*kernel, state.range(0), state.range(1));
  for (auto _ : state) {
    head.pack();
    benchmark::ClobberMemory();
  }
  rate(state, "B/s", 2.0 * sizeof(double) * static_cast<double>(head.T * head.d));
}

void output(benchmark::State& state, const Kernel* kernel) {
  const Fixture head(*kernel, state.range(0), state.range(1));
  Matrix O(head.rows, head.d);
  for (auto _ : state) {
    kernel->output_rows(head.packed, head.T - head.rows, head.rows, head.scratch.data(), {O.data(), head.d});
    benchmark::ClobberMemory();
  }
  rate(state, "FLOP/s", 4.0 * head.pairs() * static_cast<double>(head.d));
}

/// Without a causal mask; with a mask in memory where the last argument is 1.
void masked_output(benchmark::State& state, const Kernel* kernel) {
  Fixture head(*kernel, state.range(0), state.range(1));
  head.packed.mask = attention::Mask::kNone;
  const Matrix M = Matrix::Zero(head.T, head.T);
  if (state.range(2) == 1) head.packed.M = {M.data(), head.T};
  Matrix O(head.T, head.d);
  for (auto _ : state) {
    for (Index first = 0; first < head.T; first += head.rows) {
      kernel->output_rows(head.packed, first, std::min(head.rows, head.T - first), head.scratch.data(),
                          {O.data() + first * head.d, head.d});
    }
    benchmark::ClobberMemory();
  }
  rate(state, "pairs/s", static_cast<double>(head.T * head.T));
}

void partition(benchmark::State& state, const Kernel* kernel) {
  const Fixture head(*kernel, state.range(0), state.range(1));
  Matrix Z_E(head.rows, 2);
  for (auto _ : state) {
    kernel->partition_rows(head.packed, head.T - head.rows, head.rows, head.scratch.data(), {Z_E.data(), 2});
    benchmark::ClobberMemory();
  }
  rate(state, "pairs/s", head.pairs());
}

void weights(benchmark::State& state, const Kernel* kernel) {
  const Fixture head(*kernel, state.range(0), state.range(1));
  Matrix A(head.rows, head.T);
  for (auto _ : state) {
    kernel->weight_rows(head.packed, head.T - head.rows, head.rows, head.T, head.scratch.data(),
                        {A.data(), head.T});
    benchmark::ClobberMemory();
  }
  rate(state, "pairs/s", head.pairs());
}

void product(benchmark::State& state, const Kernel* kernel) {
  const Fixture head(*kernel, state.range(0), state.range(0));
  Matrix Y(head.rows, head.d);
  for (auto _ : state) {
    kernel->product_rows({head.Q.data(), head.d}, head.rows, head.d, head.V_panels.data(), head.d,
                         head.scratch.data(), {Y.data(), head.d});
    benchmark::ClobberMemory();
  }
  rate(state, "FLOP/s", 2.0 * static_cast<double>(head.rows * head.d * head.d));
}

/// All of it: packing, the queue, the threads.
void concat(benchmark::State& state, const Kernel* kernel) {
  const Index T = state.range(0);
  const Index H = state.range(2);
  const Index d = state.range(1) / H;
  std::mt19937 engine(1);
  std::vector<attention::Head> heads;
  for (Index h = 0; h < H; ++h) {
    heads.push_back(attention::head_of(random_matrix(T, d, engine), random_matrix(T, d, engine),
                                       random_matrix(T, d, engine)));
  }
  Matrix O(T, H * d);
  attention::kernel::use(kernel);
  for (auto _ : state) attention::concat(heads, 0, O);
  attention::kernel::use(nullptr);
  rate(state, "FLOP/s",
       4.0 * attention::causal_pairs(0.0, static_cast<double>(T)) * static_cast<double>(H * d));
}

/// Registered when the program starts, since which kernels there are depends on the processor.
const bool registered = [] {
  for (const Kernel* kernel : attention::kernel::kernels()) {
    const auto name = [&](const char* part) { return std::string(part) + "/" + kernel->name; };
    const auto add = [&](const char* part, void (*run)(benchmark::State&, const Kernel*)) {
      return benchmark::RegisterBenchmark(name(part).c_str(), run, kernel)->Unit(benchmark::kMillisecond);
    };
    add("pack", pack)->Args({4096, 64});
    add("output_rows", output)->Args({4096, 2})->Args({4096, 64})->Args({4096, 512});
    add("masked_output", masked_output)->Args({2048, 64, 0})->Args({2048, 64, 1});
    add("partition_rows", partition)->Args({16384, 2})->Args({4096, 64});
    add("weight_rows", weights)->Args({4096, 2})->Args({4096, 64});
    add("product_rows", product)->Arg(512);
    add("concat", concat)->Args({1024, 512, 1})->Args({1024, 512, 8})->UseRealTime();
  }
  return true;
}();

}  // namespace
}  // namespace mha::test
