#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lessons/09-multi-head-attention/heads.h"
#include "report/report.h"

namespace mha::commands {

/// Which of the lesson's heads, over how many tokens. `weights`, `entropy` and `rank` look at them.
struct HeadOptions {
  Index T = lesson09::kTokens;
  double gain = lesson09::kGain;
  std::vector<int> heads = {1, 2, 3, 4};  ///< may repeat
};

/// A head that several lazily computed results may refer to.
using SharedHead = std::shared_ptr<const lesson09::NamedHead>;

/// The heads asked for, in that order; a repeated one is the same object. Throws std::invalid_argument
/// when they cannot be held or when a score would overflow.
std::vector<SharedHead> lesson_heads(const HeadOptions& options);

/// The options as the parameters of a report: T, gain, heads.
report::Object head_parameters(const HeadOptions& options);

/// `heads 1..4` for a run of heads, `heads 1,3` for others, `head 2` for one.
std::string head_list(const std::vector<int>& heads);

/// "head 2" for one head, "4 heads" for several.
std::string head_count(const std::vector<SharedHead>& heads);

/// How many columns a grid with a panel for each of `heads` heads has: 2 × 2 for four.
std::size_t head_grid_columns(std::size_t heads);

}  // namespace mha::commands
