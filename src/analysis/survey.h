#pragma once

#include <vector>

#include "analysis/textbook_filters.h"
#include "attention/mask.h"
#include "attention/matrix.h"

/// What the attention weights of several heads have in common, and each with the textbook filters: one pass
/// over their rows, none of them held as a T_q × T_k matrix.
namespace mha::analysis {

/// The heads of one layer. Query t (0-based) stands at position t + shift among the keys and sees what the
/// mask lets it see.
struct Layer {
  Index T_q;
  Index T_k;
  attention::Mask mask;
  Index shift;
  std::vector<RowSource> heads;  ///< each head's weights, T_q × T_k
};

/// Means over the rows that see a key.
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

/// Costs O(T_q T_k H²). The numbers do not depend on the number of threads.
Survey survey(const Layer& layer);

}  // namespace mha::analysis
