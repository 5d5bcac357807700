#include "commands/memory.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <stdexcept>

namespace mha::commands {
namespace {

double available_bytes() {
  double bytes = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
    bytes = std::min(bytes, static_cast<double>(limit.rlim_cur));
  }
  return bytes;
}

}  // namespace

void require_memory(const std::string& what, double bytes) {
  const double available = available_bytes();
  if (bytes <= available) return;
  constexpr double kGiB = 1024.0 * 1024.0 * 1024.0;
  throw std::invalid_argument(fmt::format("{} would need {:.1f} GiB of memory; {:.1f} GiB is all there is",
                                          what, bytes / kGiB, available / kGiB));
}

}  // namespace mha::commands
