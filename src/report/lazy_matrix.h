#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>

#include "attention/matrix.h"
#include "report/progress.h"

namespace mha::report {

/// A matrix in a report: a shape and a source of its rows. Text asks for the rows that it prints, JSON
/// streams them all, and nobody has to hold a T × T matrix.
class LazyMatrix {
 public:
  /// `heads`: how many heads have to look at their keys for a row; 0 where a formula gives it.
  LazyMatrix(Index rows, Index cols, RowSource source, std::size_t heads = 1)
      : rows_(rows), cols_(cols), source_(std::move(source)), heads_(static_cast<double>(heads)) {}

  /// A matrix that is held already. Not explicit: a held matrix is one kind of source.
  LazyMatrix(Matrix values) : LazyMatrix(values.rows(), values.cols(), nullptr) {
    source_ = [held = std::move(values)](Index first, Block block) {
      block = held.middleRows(first, block.rows());
    };
  }

  [[nodiscard]] Index rows() const { return rows_; }
  [[nodiscard]] Index cols() const { return cols_; }
  [[nodiscard]] const RowSource& source() const { return source_; }

  /// The query–key pairs behind the rows first … first + count − 1, for progress.
  [[nodiscard]] double pairs(Index first, Index count) const {
    return heads_ * causal_pairs(static_cast<double>(first), static_cast<double>(count));
  }

  /// The rows first … first + count − 1, computed now.
  [[nodiscard]] Matrix read(Index first, Index count) const {
    Matrix block(count, cols_);
    source_(first, block);
    return block;
  }

  /// Calls visit(r, row r) for the first `count` rows in order. A megabyte of them is held at a time, and
  /// so few that progress can be told between them; the caller has planned it.
  template <typename Visit>
  void for_each_row(Index count, const Visit& visit) const {
    constexpr Index kValuesHeld = Index{1} << 17;
    constexpr Index kRowsHeld = Index{1} << 12;
    const Index height = std::clamp<Index>(kValuesHeld / std::max<Index>(1, cols_), 1, kRowsHeld);
    for (Index first = 0; first < count; first += height) {
      const Matrix block = read(first, std::min(height, count - first));
      for (Index r = 0; r < block.rows(); ++r) visit(first + r, block.row(r));
      finish_pairs(pairs(first, block.rows()));
    }
  }

 private:
  Index rows_;
  Index cols_;
  RowSource source_;
  double heads_;
};

/// A vector in a report: the entries of an N × 1 matrix, read the same way.
struct Vector {
  LazyMatrix column;
};

}  // namespace mha::report
