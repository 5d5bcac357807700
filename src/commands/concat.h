#pragma once

#include "commands/pipeline.h"
#include "report/report.h"

namespace mha::commands {

/// Concat = [O_1, O_2], O = Concat · W_O, their shapes and the parameter count.
report::Report concat(const PipelineOptions& options);

}  // namespace mha::commands
