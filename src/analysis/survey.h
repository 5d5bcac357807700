#pragma once

#include <span>
#include <vector>

#include "analysis/textbook_filters.h"
#include "attention/layer.h"

/// What the attention weights of several heads have in common, and each with the textbook filters: one pass
/// over their rows, none of them held as a T_q × T_k matrix.
namespace mha::analysis {

/// Means over the rows that see a key and are no padding.
struct HeadSurvey {
  PerFilter distances;         ///< total variation, in [0, 1]
  double bits;                 ///< row entropy
  double effective_positions;  ///< 2^bits, row by row
};

struct Survey {
  std::vector<HeadSurvey> heads;
  double ceiling_bits;       ///< mean log₂ of how many keys a row sees
  double ceiling_positions;  ///< mean of how many keys a row sees
  Matrix divergence_bits;    ///< H × H: mean Jensen–Shannon divergence of two heads' rows
};

/// Of some heads of a layer, by their numbers from 0, whose weights (T_q × T_k) are `weights`. Costs O(T_q
/// T_k H²). The numbers do not depend on the number of threads.
Survey survey(const attention::Layer& layer, std::span<const std::size_t> heads,
              const std::vector<RowSource>& weights);

}  // namespace mha::analysis
