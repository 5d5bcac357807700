#pragma once

#include <memory>
#include <string>
#include <vector>

#include "attention/matrix.h"
#include "input/formats/array_file.h"

namespace mha::input {

/// A JSON file that holds one object with exactly the keys asked for, and numbers, lists and matrices
/// under them. Every message names the file (as `name`) and the place in it, and is thrown as
/// std::invalid_argument.
class AnswerFile {
 public:
  /// The file at `path`, which may be a pipe; standard input for `-`. Throws for one that cannot be read, is
  /// longer than 16 MiB, is not strict JSON, or lacks a key or has another.
  AnswerFile(const std::string& path, const std::string& name, const std::vector<std::string>& keys);

  /// A finite number.
  [[nodiscard]] double number(const std::string& key) const;

  /// `size` finite numbers, as 1 × size.
  [[nodiscard]] Matrix list(const std::string& key, Index size) const;

  /// Rows of finite numbers, all as long as the first: at least one row and one column.
  [[nodiscard]] Matrix matrix(const std::string& key) const;

 private:
  /// The numbers under the key, in lists nested `rank` deep.
  [[nodiscard]] Matrix numbers(const std::string& key, std::size_t rank) const;

  std::unique_ptr<ArrayFile> file_;
};

}  // namespace mha::input
