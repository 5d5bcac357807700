#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "attention/matrix.h"
#include "input/formats/array_file.h"
#include "input/formats/place.h"

namespace mha::input {

/// Which layer and which sequence of a batch are meant, counted from 1; unset where nobody said.
struct Pick {
  std::optional<Index> layer;
  std::optional<Index> batch;
};

/// How the axes of an array lie, the slowest first: l layers, b the sequences of a batch, h heads, t tokens,
/// n numbers of a token; r and c the rows and columns of a projection. An array of fewer axes lacks l, then
/// b, then h.
using Axes = std::string_view;
inline constexpr Axes kHeadAxes = "lbhtn";
inline constexpr Axes kTokenAxes = "lbtn";
inline constexpr Axes kProjectionAxes = "rc";

/// `[T, n], [H, T, n] or [batch, H, T, n]`: what an array with those axes can be.
std::string forms(Axes axes);

/// Which of `count` is meant, from 0; 0 where there is no choice. `what` is a batch or layers, `name` the
/// field that picks one, `place` what messages call the array. Refuses a choice that nobody made, and one
/// that there is not.
Index picked(const std::optional<Index>& pick, std::optional<Index> count, const char* what, const char* name,
             const std::string& place);

/// An array as a matrix for each head (or one, without heads), read when asked for. Refuses a batch or layers
/// of which none is picked (a batch of one picks itself), and a pick from what the array does not have. Keeps
/// the file open.
class Stack {
 public:
  Stack(std::shared_ptr<const ArrayFile> file, const ArrayInfo& array, Axes axes, const Pick& pick);

  [[nodiscard]] Index heads() const { return heads_; }
  [[nodiscard]] Index rows() const { return rows_; }
  [[nodiscard]] Index cols() const { return cols_; }
  /// How many sequences the array holds; 1 without that axis.
  [[nodiscard]] Index batches() const { return batches_; }
  /// What messages call the array.
  [[nodiscard]] std::string place() const { return place_of(file_->name(), array_->name); }

  /// Head h's matrix (from 0), whole. Refused when there is not the memory for it.
  [[nodiscard]] Matrix matrix(Index h = 0, Finite finite = Finite::kRequired) const;
  /// Fills `rows` with head h's rows from `first` on.
  void read(Index h, Index first, Block rows, Finite finite = Finite::kRequired) const;

 private:
  std::shared_ptr<const ArrayFile> file_;
  const ArrayInfo* array_;
  Index batches_ = 1;
  Index heads_ = 1;
  Index rows_ = 1;
  Index cols_ = 1;
  Index offset_ = 0;       ///< entries before what was picked
  Index head_stride_ = 0;  ///< entries from one head to the next
  Index row_stride_ = 0;   ///< entries from one row to the next
};

/// An array with one size, `[n]` or `[1, n]`, as a 1 × n matrix.
Matrix row_vector(const ArrayFile& file, const ArrayInfo& array);

}  // namespace mha::input
