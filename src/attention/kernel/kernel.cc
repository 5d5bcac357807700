// Superseded by SSE4.
#define HWY_DISABLED_TARGETS HWY_SSSE3

#include "attention/kernel/kernel.h"

#include <array>
#include <atomic>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "attention/kernel/kernel.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// After the two above: what is included from here on is compiled once per instruction set.
#include "attention/kernel/rows-inl.h"

#if HWY_ONCE
namespace mha::attention::kernel {
namespace {

struct Kernels {
  std::array<const Kernel*, 4> list{};
  std::size_t count = 0;
  void add(const Kernel& kernel) { list[count++] = &kernel; }
};

/// Asks the compiler's own runtime what the processor has. Highway's dispatch would do it too, but lives
/// in a shared library whose start-up, 2.5 ms of measuring clocks, is more than a whole command takes.
Kernels find_kernels() {
  Kernels found;
#if HWY_ARCH_X86
  __builtin_cpu_init();
  const bool sse4 = __builtin_cpu_supports("sse4.2");
  const bool avx2 = sse4 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                    __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
#endif
#if HWY_TARGETS & HWY_AVX3
  if (avx512) found.add(N_AVX3::kKernel);
#endif
#if (HWY_TARGETS & HWY_AVX2) && HWY_STATIC_TARGET != HWY_AVX2
  if (avx2) found.add(N_AVX2::kKernel);
#endif
#if (HWY_TARGETS & HWY_SSE4) && HWY_STATIC_TARGET != HWY_SSE4
  if (sse4) found.add(N_SSE4::kKernel);
#endif
#if HWY_STATIC_TARGET != HWY_AVX3
  found.add(HWY_NAMESPACE::kKernel);
#endif
  return found;
}

const Kernels& found_kernels() {
  static const Kernels kFound = find_kernels();
  return kFound;
}

std::atomic<const Kernel*> named{nullptr};

}  // namespace

std::span<const Kernel* const> kernels() { return {found_kernels().list.data(), found_kernels().count}; }

const Kernel& chosen() {
  const Kernel* kernel = named.load(std::memory_order_relaxed);
  return kernel != nullptr ? *kernel : *found_kernels().list[0];
}

void use(const Kernel* kernel) { named.store(kernel, std::memory_order_relaxed); }

}  // namespace mha::attention::kernel
#endif  // HWY_ONCE
