#pragma once

#include "commands/command.h"
#include "commands/heads.h"
#include "report/report.h"

namespace mha::commands {

/// The row entropies of each head's attention weights in bits, beside t and the ceiling log₂ t.
report::Report entropy(const HeadOptions& options);

extern const Command kEntropy;

}  // namespace mha::commands
