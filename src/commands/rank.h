#pragma once

#include <vector>

#include "analysis/counts.h"
#include "commands/command.h"
#include "commands/heads.h"
#include "report/report.h"

namespace mha::commands {

struct RankOptions {
  HeadOptions heads;
  analysis::Count T_big = 1024;
  analysis::Count d_big = 512;
  std::vector<analysis::Count> H_big = {8};
};

/// The ranks of the score matrices Q_h K_hᵀ, and the score FLOPs of one wide head against H narrow ones
/// (a count for each H asked for). Throws std::invalid_argument for an H that does not divide d_big.
report::Report rank(const RankOptions& options);

extern const Command kRank;

}  // namespace mha::commands
