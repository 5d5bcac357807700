#include "commands/requirements.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "attention/causal_attention.h"

namespace mha::commands {

void require_finite_scores(const Matrix& Q, const Matrix& K, int head, double gain) {
  if (std::isfinite(attention::largest_score_bound(Q, K))) return;
  throw std::invalid_argument(fmt::format(
      "--gain {}: the scores Q K' of head {} overflow a double; give a gain nearer to 0", gain, head));
}

}  // namespace mha::commands
