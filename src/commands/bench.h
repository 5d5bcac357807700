#pragma once

#include <cstdint>
#include <vector>

#include "analysis/counts.h"
#include "commands/command.h"
#include "report/report.h"

namespace mha::commands {

struct BenchOptions {
  analysis::Count T = 1024;
  analysis::Count d_model = 512;
  std::vector<analysis::Count> H = {1, 8};
  analysis::Count repeat = 5;
  std::uint64_t seed = 1;
};

/// Causal attention of H heads on standard normal inputs, measured: scores, softmax and A V, as long as
/// attention::concat takes. A row for each H. Throws std::invalid_argument for an H that does not divide
/// d_model, for counts beyond 2^63 and for inputs that cannot be held.
report::Report bench(const BenchOptions& options);

extern const Command kBench;

}  // namespace mha::commands
