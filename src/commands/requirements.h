#pragma once

#include "attention/matrix.h"
#include "input/memory.h"

/// What a request must meet before any work is done on it; each throws std::invalid_argument, naming the
/// option, if it does not.
namespace mha::commands {

using input::require_memory;

/// Refuses a gain at which a head's scores could overflow a double.
void require_finite_scores(const Matrix& Q, const Matrix& K, int head, double gain);

}  // namespace mha::commands
