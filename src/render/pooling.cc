#include "render/pooling.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace mha::render {
namespace {

Index divide_up(Index n, Index by) { return (n + by - 1) / by; }

void expect_finite(double value, Index r, Index c) {
  if (std::isfinite(value)) return;
  throw std::runtime_error(
      fmt::format("cannot draw row {}, column {}: the value is not finite", r + 1, c + 1));
}

}  // namespace

bool Cells::masked(Index r, Index c) const {
  const Index last_row = std::min((r + 1) * rows_per_cell, rows) - 1;
  return c * cols_per_cell >= mask.visible(last_row, cols);
}

Cells pool(const report::LazyMatrix& matrix, report::Mask mask, Index most, report::Pooled pooled) {
  const bool least = pooled == report::Pooled::kLeast;
  const Index rows_per_cell = std::max<Index>(1, divide_up(matrix.rows(), most));
  const Index cols_per_cell = std::max<Index>(1, divide_up(matrix.cols(), most));
  Cells cells{Matrix::Zero(divide_up(matrix.rows(), rows_per_cell), divide_up(matrix.cols(), cols_per_cell)),
              rows_per_cell,
              cols_per_cell,
              mask,
              matrix.rows(),
              matrix.cols(),
              std::numeric_limits<double>::infinity(),
              -std::numeric_limits<double>::infinity()};
  matrix.for_each_row(matrix.rows(), [&](Index r, const auto& row) {
    const Index visible = mask.visible(r, row.size());
    double* cell = cells.values.row(r / rows_per_cell).data();
    for (Index first_of_cell = 0; first_of_cell < visible; first_of_cell += cols_per_cell, ++cell) {
      for (Index c = first_of_cell; c < std::min(first_of_cell + cols_per_cell, visible); ++c) {
        const double value = row[c];
        expect_finite(value, r, c);
        cells.least = std::min(cells.least, value);
        cells.largest = std::max(cells.largest, value);
        const bool first = least && r % rows_per_cell == 0 && c == first_of_cell;
        if (first || (least ? value < *cell : std::abs(value) > std::abs(*cell))) *cell = value;
      }
    }
  });
  return cells;
}

Sampling sampling(Index count, Index most) {
  Sampling made{std::max<Index>(1, divide_up(count - 1, std::max<Index>(2, most) - 1)), {}};
  for (Index k = 0; k < count - 1; k += made.step) made.positions.push_back(k);
  made.positions.push_back(count - 1);
  return made;
}

std::vector<double> sample(const report::Vector& vector, const std::vector<Index>& positions) {
  std::vector<double> values;
  for (const Index k : positions) {
    values.push_back(vector.column.read(k, 1)(0, 0));
    expect_finite(values.back(), k, 0);
  }
  return values;
}

}  // namespace mha::render
