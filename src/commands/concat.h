#pragma once

#include "commands/command.h"
#include "commands/pipeline.h"
#include "report/report.h"

namespace mha::commands {

struct ConcatOptions {
  Source source = {};
  lesson09::Projection wo = lesson09::Projection::kMixing;
};

/// Concat = [O_1, O_2], O = Concat · W_O, their shapes and the parameter count.
report::Report concat(const ConcatOptions& options);

extern const Command kConcat;

}  // namespace mha::commands
