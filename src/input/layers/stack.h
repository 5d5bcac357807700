#pragma once

#include <memory>
#include <optional>
#include <string>

#include "attention/matrix.h"
#include "input/formats/array_file.h"
#include "input/formats/place.h"

namespace mha::input {

/// Which layer and which sequence of a batch are meant, counted from 1; unset where nobody said.
struct Pick {
  std::optional<Index> layer;
  std::optional<Index> batch;
};

/// An array as a matrix for each head, read when asked for: `[rows, cols]`, `[H, rows, cols]`,
/// `[batch, H, rows, cols]` or `[layers, batch, H, rows, cols]`. Refuses a batch or layers of which none is
/// picked (a batch of one picks itself), and a pick from what the array does not have. Keeps the file open.
class Stack {
 public:
  Stack(std::shared_ptr<const ArrayFile> file, const ArrayInfo& array, const Pick& pick);

  /// The same without heads: `[rows, cols]`, `[batch, rows, cols]`, `[layers, batch, rows, cols]`.
  static Stack headless(std::shared_ptr<const ArrayFile> file, const ArrayInfo& array, const Pick& pick);

  [[nodiscard]] Index heads() const { return heads_; }
  [[nodiscard]] Index rows() const { return rows_; }
  [[nodiscard]] Index cols() const { return cols_; }
  /// What messages call the array.
  [[nodiscard]] std::string place() const { return place_of(file_->name(), array_->name); }

  /// Head h's matrix (from 0), whole. Refused when there is not the memory for it.
  [[nodiscard]] Matrix matrix(Index h = 0) const;
  /// Fills `rows` with head h's rows from `first` on.
  void read(Index h, Index first, Block rows) const;

 private:
  Stack(std::shared_ptr<const ArrayFile> file, const ArrayInfo& array, const Pick& pick, bool has_heads);

  std::shared_ptr<const ArrayFile> file_;
  const ArrayInfo* array_;
  Index heads_ = 1;
  Index rows_ = 1;
  Index cols_ = 1;
  Index offset_ = 0;  ///< entries before what was picked
};

/// An array with one size, `[n]` or `[1, n]`, as a 1 × n matrix.
Matrix row_vector(const ArrayFile& file, const ArrayInfo& array);

}  // namespace mha::input
