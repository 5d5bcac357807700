#pragma once

#include <vector>

#include "report/figure.h"

namespace mha::render {

/// A matrix in as many cells as a figure has room for. A cell stands for rows_per_cell × cols_per_cell
/// entries and shows the one farthest from 0: a mean would drown a diagonal of ones among the zeros
/// beside it.
struct Cells {
  Matrix values;
  Index rows_per_cell;
  Index cols_per_cell;
  report::Mask mask;
  Index rows;      ///< of the matrix
  double least;    ///< among the entries that are not masked
  double largest;  ///< among the entries that are not masked

  /// Whether every entry that the cell stands for is masked.
  [[nodiscard]] bool masked(Index r, Index c) const;
};

/// Reads the matrix once, a few rows at a time, into at most most × most cells. Throws
/// std::runtime_error for an entry that is not finite.
Cells pool(const report::LazyMatrix& matrix, report::Mask mask, Index most);

}  // namespace mha::render
