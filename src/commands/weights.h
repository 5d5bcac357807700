#pragma once

#include "commands/command.h"
#include "commands/heads.h"
#include "report/report.h"

namespace mha::commands {

/// The attention weights A_h of each head, and head 4's row min(4, T) if head 4 is among them.
report::Report weights(const HeadOptions& options);

extern const Command kWeights;

}  // namespace mha::commands
