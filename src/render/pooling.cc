#include "render/pooling.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace mha::render {
namespace {

Index divide_up(Index n, Index by) { return (n + by - 1) / by; }

}  // namespace

bool Cells::masked(Index r, Index c) const {
  const Index last_row = std::min((r + 1) * rows_per_cell, rows) - 1;
  return mask == report::Mask::kCausal && c * cols_per_cell > last_row;
}

Cells pool(const report::LazyMatrix& matrix, report::Mask mask, Index most) {
  const Index rows_per_cell = std::max<Index>(1, divide_up(matrix.rows(), most));
  const Index cols_per_cell = std::max<Index>(1, divide_up(matrix.cols(), most));
  Cells cells{Matrix::Zero(divide_up(matrix.rows(), rows_per_cell), divide_up(matrix.cols(), cols_per_cell)),
              rows_per_cell,
              cols_per_cell,
              mask,
              matrix.rows(),
              std::numeric_limits<double>::infinity(),
              -std::numeric_limits<double>::infinity()};
  report::plan_pairs(report::causal_pairs(0.0, static_cast<double>(matrix.rows())));
  matrix.for_each_row(matrix.rows(), [&](Index r, const auto& row) {
    const Index visible = mask == report::Mask::kCausal ? std::min(r + 1, row.size()) : row.size();
    double* cell = cells.values.row(r / rows_per_cell).data();
    for (Index first = 0; first < visible; first += cols_per_cell, ++cell) {
      for (Index c = first; c < std::min(first + cols_per_cell, visible); ++c) {
        const double value = row[c];
        if (!std::isfinite(value)) {
          throw std::runtime_error(
              fmt::format("a figure has no colour for row {}, column {}: it is not finite", r + 1, c + 1));
        }
        cells.least = std::min(cells.least, value);
        cells.largest = std::max(cells.largest, value);
        if (std::abs(value) > std::abs(*cell)) *cell = value;
      }
    }
  });
  return cells;
}

}  // namespace mha::render
