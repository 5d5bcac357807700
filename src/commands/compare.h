#pragma once

#include <string>

#include "commands/command.h"
#include "commands/layers.h"
#include "report/report.h"

namespace mha::commands {

struct CompareOptions {
  input::LayerOptions file;
  std::string expect;  ///< the file with what somebody else computed
  double tolerance = 1e-6;
};

/// Computes what the expected array is, A, Concat or O, from a person's own inputs, and says where the two
/// differ most. The array says by its name which it is (`A`, `O`, `O_concat`), or by its shape if it has
/// none; Concat may come as `[H, T, d_v]` too; `O` is Concat where there is no W_O. Not ok beyond the
/// tolerance.
report::Report compare(const CompareOptions& options);

extern const Command kCompare;

}  // namespace mha::commands
