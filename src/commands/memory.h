#pragma once

#include <string>

namespace mha::commands {

/// Refuses a request that this machine cannot hold, before any work is done: throws
/// std::invalid_argument, `what` first ("--T 4294967297"), when `bytes` exceed the physical memory or
/// the process's address space limit. In double, so that no product of sizes can wrap.
void require_memory(const std::string& what, double bytes);

}  // namespace mha::commands
