#include "input/layers/weight_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "input/memory.h"

namespace mha::input {
namespace {

/// Doubles read at a time.
constexpr Index kHeld = Index{1} << 18;

void check_row(Model& model, std::size_t h, Index t, const auto& row) {
  const auto refuse = [&](const std::string& what) {
    throw std::invalid_argument(fmt::format("{}: A of head {}, row {}: {}", model.name, h + 1, t + 1, what));
  };
  double sum = 0.0;
  for (Index i = 0; i < row.size(); ++i) {
    if (row[i] < 0.0) refuse(fmt::format("column {} is {}, and no weight is below 0", i + 1, row[i]));
    sum += row[i];
  }
  const Index seen = model.mask.seen(t, model.T_k);
  if (seen == 0 && sum != 0.0) refuse(fmt::format("sums to {}, and sees no key: such a row is zero", sum));
  if (seen == 0) return;
  if (!(std::abs(sum - 1.0) <= kRowSumTolerance))
    refuse(fmt::format("sums to {}, not to 1 within {}", sum, kRowSumTolerance));
  for (Index i = seen; i < row.size(); ++i) {
    if (row[i] > (model.above_diagonal ? model.above_diagonal->weight : 0.0))
      model.above_diagonal = {h, t, i, row[i]};
  }
}

}  // namespace

void check_weights(Model& model) {
  const Index height = std::clamp<Index>(kHeld / model.T_k, 1, model.T_q);
  for (std::size_t h = 0; h < model.heads.size(); ++h) {
    if (!model.heads[h].A) continue;
    require_memory(model.name + ": a row of A", sizeof(double) * static_cast<double>(model.T_k));
    for (Index first = 0; first < model.T_q; first += height) {
      Matrix A(std::min(height, model.T_q - first), model.T_k);
      model.heads[h].A(first, A);
      for (Index r = 0; r < A.rows(); ++r) check_row(model, h, first + r, A.row(r));
    }
  }
}

}  // namespace mha::input
