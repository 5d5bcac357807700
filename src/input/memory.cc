#include "input/memory.h"

#include <fmt/format.h>

#include <stdexcept>

#include "platform/memory.h"

namespace mha::input {
namespace {

std::string in_binary_units(double bytes) {
  constexpr double kMiB = 1024.0 * 1024.0;
  return bytes < 1024.0 * kMiB ? fmt::format("{:.1f} MiB", bytes / kMiB)
                               : fmt::format("{:.1f} GiB", bytes / kMiB / 1024.0);
}

}  // namespace

void require_memory(const std::string& what, double bytes) {
  // To ask the system takes a fifth of what a default command does.
  constexpr double kGranted = 4.0 * 1024.0 * 1024.0;
  if (bytes <= kGranted) return;
  const double available = platform::available_memory();
  if (bytes <= available) return;
  throw std::invalid_argument(fmt::format("{} would need {} of memory, but only {} is available", what,
                                          in_binary_units(bytes), in_binary_units(available)));
}

}  // namespace mha::input
