#pragma once

#include <sys/resource.h>

namespace mha::test {

/// The most memory, in KiB, that this process has had so far.
inline long peak_kib() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

/// What a hostile file may take.
constexpr long kMostKib = 50 * 1024;

}  // namespace mha::test
