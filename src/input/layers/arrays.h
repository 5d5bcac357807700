#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "input/formats/array_file.h"
#include "input/layers/stack.h"

namespace mha::input {

/// What messages call a file that a field names: `--input 'm.npz'`.
std::string file_name(std::string_view field, const std::string& path);

/// The arrays of a file by the equations' letters: with a prefix before each name, and with a name for the
/// array of a .npy file, which has none.
class Arrays {
 public:
  Arrays(std::shared_ptr<const ArrayFile> file, std::string prefix, std::string nameless, Pick pick);

  [[nodiscard]] const ArrayFile& file() const { return *file_; }
  [[nodiscard]] const std::shared_ptr<const ArrayFile>& shared_file() const { return file_; }

  [[nodiscard]] bool has(const std::string& name) const { return find(name) != nullptr; }
  /// None if the file has no such array.
  [[nodiscard]] std::optional<Stack> stack(const std::string& name) const;
  /// Refuse a file without it.
  [[nodiscard]] Stack needed_stack(const std::string& name, const std::string& why) const;
  [[nodiscard]] Matrix needed_matrix(const std::string& name, const std::string& why) const;

  /// One matrix whatever the head, `[rows, cols]`; empty if the file has none.
  [[nodiscard]] Matrix matrix(const std::string& name) const;
  /// A matrix that may have a batch and layers before it.
  [[nodiscard]] std::optional<Stack> headless(const std::string& name) const;
  /// 1 × n; empty if the file has none.
  [[nodiscard]] Matrix row(const std::string& name) const;

  /// `--input 'm.npz': "h.0.Q"`.
  [[nodiscard]] std::string place(const std::string& name) const;
  /// ` (the file holds "q", "k", …)`, for a message that misses something.
  [[nodiscard]] std::string holdings() const;

 private:
  [[nodiscard]] const ArrayInfo* find(const std::string& name) const;

  std::shared_ptr<const ArrayFile> file_;
  std::string prefix_;
  std::string nameless_;
  Pick pick_;
};

}  // namespace mha::input
