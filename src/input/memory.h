#pragma once

#include <string>

namespace mha::input {

/// Refuses, `what` first ("--T 4294967297"), what needs more `bytes` than there is memory for: than is
/// available on the machine, or left of the process's or its container's limits. In double, so that no
/// product of sizes can wrap. Throws std::invalid_argument.
void require_memory(const std::string& what, double bytes);

}  // namespace mha::input
