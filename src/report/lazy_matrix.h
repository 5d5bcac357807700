#pragma once

#include <algorithm>
#include <utility>

#include "attention/matrix.h"
#include "attention/progress.h"

namespace mha::report {

/// A matrix in a report: a shape and a source of its rows. Text asks for the rows that it prints, JSON
/// streams them all, and nobody has to hold a T × T matrix.
class LazyMatrix {
 public:
  LazyMatrix(Index rows, Index cols, RowSource source)
      : rows_(rows), cols_(cols), source_(std::move(source)) {}

  /// A matrix that is held already. Not explicit: a held matrix is one kind of source.
  LazyMatrix(Matrix values) : LazyMatrix(values.rows(), values.cols(), nullptr) {
    source_ = [held = std::move(values)](Index first, Block block) {
      block = held.middleRows(first, block.rows());
    };
  }

  [[nodiscard]] Index rows() const { return rows_; }
  [[nodiscard]] Index cols() const { return cols_; }
  [[nodiscard]] const RowSource& source() const { return source_; }

  /// The rows first … first + count − 1, computed now.
  [[nodiscard]] Matrix read(Index first, Index count) const {
    Matrix block(count, cols_);
    source_(first, block);
    return block;
  }

  /// Announces to progress that the first `count` rows will be read with for_each_row. Announce all matrices
  /// before reading one, so that the percentage never falls back.
  void plan(Index count) const { attention::plan_pairs(pairs(0, count)); }

  /// Calls visit(r, row r) for the first `count` rows in order. Holds at most a megabyte of them at
  /// a time, and few enough to show progress in between.
  template <typename Visit>
  void for_each_row(Index count, const Visit& visit) const {
    constexpr Index kValuesHeld = Index{1} << 17;
    constexpr Index kRowsHeld = Index{1} << 12;
    const Index height = std::clamp<Index>(kValuesHeld / std::max<Index>(1, cols_), 1, kRowsHeld);
    for (Index first = 0; first < count; first += height) {
      const Matrix block = read(first, std::min(height, count - first));
      for (Index r = 0; r < block.rows(); ++r) visit(first + r, block.row(r));
      attention::finish_pairs(pairs(first, block.rows()));
    }
  }

 private:
  static double pairs(Index first, Index count) {
    return attention::causal_pairs(static_cast<double>(first), static_cast<double>(count));
  }

  Index rows_;
  Index cols_;
  RowSource source_;
};

/// A vector in a report: the entries of an N × 1 matrix, read the same way.
struct Vector {
  LazyMatrix column;
};

}  // namespace mha::report
