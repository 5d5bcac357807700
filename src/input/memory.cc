#include "input/memory.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <stdexcept>

namespace mha::input {
namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

/// MemAvailable of /proc/meminfo, which counts what can be had without swapping; all there is elsewhere.
double machine_bytes() {
  std::ifstream meminfo("/proc/meminfo");
  std::string name;
  double kibibytes = 0.0;
  for (std::string unit; meminfo >> name >> kibibytes; std::getline(meminfo, unit)) {
    if (name == "MemAvailable:") return kibibytes * 1024.0;
  }
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
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
  if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kNoLimit;
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
  const auto page = static_cast<double>(sysconf(_SC_PAGESIZE));
  return std::min(limit_of(RLIMIT_AS, total * page), limit_of(RLIMIT_DATA, data * page));
}

std::string in_binary_units(double bytes) {
  constexpr double kMiB = 1024.0 * 1024.0;
  return bytes < 1024.0 * kMiB ? fmt::format("{:.1f} MiB", bytes / kMiB)
                               : fmt::format("{:.1f} GiB", bytes / kMiB / 1024.0);
}

}  // namespace

void require_memory(const std::string& what, double bytes) {
  const double available = std::max(0.0, std::min({machine_bytes(), container_bytes(), process_bytes()}));
  if (bytes <= available) return;
  throw std::invalid_argument(fmt::format("{} would need {} of memory, and {} can be had", what,
                                          in_binary_units(bytes), in_binary_units(available)));
}

}  // namespace mha::input
