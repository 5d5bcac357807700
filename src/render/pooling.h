#pragma once

#include <vector>

#include "report/figure.h"

namespace mha::render {

/// A matrix in as many cells as a figure can show. A cell stands for rows_per_cell × cols_per_cell
/// entries and shows one of them: a mean would drown a diagonal of ones among the zeros beside it.
struct Cells {
  Matrix values;
  Index rows_per_cell;
  Index cols_per_cell;
  report::Mask mask;
  Index rows;      ///< of the matrix
  Index cols;      ///< of the matrix
  double least;    ///< among the entries that are not masked
  double largest;  ///< among the entries that are not masked

  /// Whether a cell stands for several entries.
  [[nodiscard]] bool pooled() const { return rows_per_cell > 1 || cols_per_cell > 1; }
  /// Whether every entry that the cell stands for is masked.
  [[nodiscard]] bool masked(Index r, Index c) const;
};

/// Reads the matrix once, a few rows at a time, into at most `most` × `most` cells. Call matrix.plan() first.
/// Throws std::runtime_error for an entry that is not finite.
Cells pool(const report::LazyMatrix& matrix, report::Mask mask, Index most,
           report::Pooled pooled = report::Pooled::kFarthest);

/// The positions (0-based) at which `count` entries are sampled, at most `most` of them: every step-th from
/// the first on, and the last.
struct Sampling {
  Index step;
  std::vector<Index> positions;
};
Sampling sampling(Index count, Index most);

/// Reads the vector's entries at those positions only. A curve is sampled, not pooled: the largest of several
/// entries would not be the curve. Throws std::runtime_error for an entry that is
/// not finite.
std::vector<double> sample(const report::Vector& vector, const std::vector<Index>& positions);

}  // namespace mha::render
