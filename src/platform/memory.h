#pragma once

#include <cstddef>

namespace mha::platform {

/// How many bytes the process can still allocate without swapping: the least of what is available on the
/// machine and of what the limits of the process and of its container leave. A double, which no product of
/// sizes overflows.
double available_memory();

/// Asks for large pages for memory that is aligned to them. Refused, it does no harm.
void prefer_large_pages(void* memory, std::size_t bytes);

}  // namespace mha::platform
