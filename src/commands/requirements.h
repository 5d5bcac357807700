#pragma once

#include <string>

#include "attention/matrix.h"

/// What a request must meet before any work is done on it; each throws std::invalid_argument, naming the
/// option, if it does not.
namespace mha::commands {

/// Refuses, `what` first ("--T 4294967297"), what needs more `bytes` than there is memory for: than is
/// available on the machine, or left of the process's or its container's limits. In double, so that no
/// product of sizes can wrap.
void require_memory(const std::string& what, double bytes);

/// Refuses a gain at which a head's scores could overflow a double.
void require_finite_scores(const Matrix& Q, const Matrix& K, int head, double gain);

}  // namespace mha::commands
