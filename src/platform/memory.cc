#include "platform/memory.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace mha::platform {
namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

/// MemAvailable of /proc/meminfo; elsewhere all the memory of the machine.
double machine_bytes() {
  std::ifstream meminfo("/proc/meminfo");
  std::string name;
  double kibibytes = 0.0;
  for (std::string unit; meminfo >> name >> kibibytes; std::getline(meminfo, unit)) {
    if (name == "MemAvailable:") return kibibytes * 1024.0;
  }
  return static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

/// What the container's control group (version 2) leaves.
double container_bytes() {
  double most = 0.0;
  double used = 0.0;
  std::ifstream("/sys/fs/cgroup/memory.max") >> most;
  std::ifstream("/sys/fs/cgroup/memory.current") >> used;
  return most > 0.0 ? most - used : kNoLimit;
}

double limit_of(decltype(RLIMIT_AS) resource, double used) {
  rlimit limit{};
  if (::getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kNoLimit;
  return static_cast<double>(limit.rlim_cur) - used;
}

/// What the process's own limits leave, of its address space and of its data.
double process_bytes() {
  double total = 0.0;
  double resident = 0.0;
  double shared = 0.0;
  double text = 0.0;
  double library = 0.0;
  double data = 0.0;
  std::ifstream("/proc/self/statm") >> total >> resident >> shared >> text >> library >> data;
  const auto page = static_cast<double>(::sysconf(_SC_PAGESIZE));
  return std::min(limit_of(RLIMIT_AS, total * page), limit_of(RLIMIT_DATA, data * page));
}

}  // namespace

double available_memory() {
  return std::max(0.0, std::min({machine_bytes(), container_bytes(), process_bytes()}));
}

void prefer_large_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  ::madvise(memory, bytes, MADV_HUGEPAGE);
#endif
}

}  // namespace mha::platform
