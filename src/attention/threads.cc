#include "attention/threads.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace mha::attention {
namespace {

std::atomic<int> set_count{0};

}  // namespace

int threads() {
  const int count = set_count.load(std::memory_order_relaxed);
  return count > 0 ? count : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void set_threads(int count) { set_count.store(count, std::memory_order_relaxed); }

void on_threads(int count, const std::function<void()>& work) {
  if (count <= 1) {
    work();
    return;
  }
  std::mutex mutex;
  std::exception_ptr failure;
  const auto guarded = [&] {
    try {
      work();
    } catch (...) {
      const std::scoped_lock lock(mutex);
      if (!failure) failure = std::current_exception();
    }
  };
  {
    // Joined by hand: not every C++20 library has jthread. Nothing below throws before the join.
    std::vector<std::thread> others;
    others.reserve(static_cast<std::size_t>(count) - 1);
    try {
      for (int i = 1; i < count; ++i) others.emplace_back(guarded);
    } catch (const std::system_error&) {  // NOLINT(bugprone-empty-catch): fewer threads only take longer
    }
    guarded();
    for (std::thread& other : others) other.join();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace mha::attention
