#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "input/formats/array_file.h"
#include "input/layers/stack.h"

namespace mha::input {

/// What messages call a file that a field names: `--input 'm.npz'`.
std::string file_name(std::string_view field, const std::string& path);

/// An array and the file that it is in; null where there is none.
struct Found {
  std::shared_ptr<const ArrayFile> file = {};
  const ArrayInfo* array = nullptr;
};

/// `--input 'm.npz': "sinks"`.
std::string array_place(const Found& found);

/// All entries of an array whatever its shape, in row-major order. Refused when there is not the memory for
/// them.
std::vector<double> all_entries(const Found& found, Finite finite = Finite::kRequired);

/// The array as a row (1 × size), whatever its shape. Refuses another number of entries; `what` says what
/// they are.
Matrix row_of_size(const Found& found, Index size, const std::string& what);

/// The arrays of a file by the equations' letters: with a prefix before each name, with a letter for the one
/// array of a file whose own name does not say what it is, and with others that somebody named, of this file
/// or another.
class Arrays {
 public:
  Arrays(std::shared_ptr<const ArrayFile> file, std::string prefix, std::string letter_of_only, Pick pick);

  /// The array that a layout calls otherwise, unless somebody said which it is; none to pass it over.
  void call(const std::string& name, Found found) { mapped_.emplace(name, std::move(found)); }

  /// Says which array is which: `NAME=ARRAY`, `NAME=FILE:ARRAY`, or `NAME=FILE` for its only array. Refuses
  /// what is not there, and a name that is given twice.
  void map(const std::vector<std::string>& names);

  [[nodiscard]] const ArrayFile& file() const { return *file_; }

  [[nodiscard]] const std::string& prefix() const { return prefix_; }

  [[nodiscard]] Found find(const std::string& name) const;
  /// The same, or without the prefix: what a file may say of all its layers.
  [[nodiscard]] Found find_beside(const std::string& name) const;
  [[nodiscard]] bool has(const std::string& name) const { return find(name).array != nullptr; }
  /// Whether somebody said what this array is.
  [[nodiscard]] bool is_mapped(const ArrayInfo& array) const;
  /// The names that somebody gave.
  [[nodiscard]] std::vector<std::string> mapped_names() const;

  [[nodiscard]] std::optional<Stack> stack(const std::string& name, Axes axes = kHeadAxes) const;
  /// Refuse a file without it.
  [[nodiscard]] Stack needed_stack(const std::string& name, const std::string& why,
                                   Axes axes = kHeadAxes) const;
  [[nodiscard]] Matrix needed_matrix(const std::string& name, const std::string& why) const;

  /// One matrix whatever the head, `[rows, columns]`; empty if the file has none.
  [[nodiscard]] Matrix matrix(const std::string& name) const;
  /// 1 × n; empty if the file has none.
  [[nodiscard]] Matrix row(const std::string& name) const;

  /// `--input 'm.npz': "h.0.Q"`.
  [[nodiscard]] std::string place(const std::string& name) const;
  /// `--input 'm.npz': "h.0.Q": is not there, WHY (the file holds "q", "k", …)`.
  [[nodiscard]] std::string missing(const std::string& name, const std::string& why) const;
  /// ` (the file holds "q", "k", …)`, for a message that misses something.
  [[nodiscard]] std::string holdings() const;

 private:
  std::shared_ptr<const ArrayFile> file_;
  std::string prefix_;
  std::string letter_of_only_;
  Pick pick_;
  std::map<std::string, Found> mapped_;
};

}  // namespace mha::input
