#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "attention/matrix.h"

namespace mha::input {

/// An array of a file: what it is called there, the type of its entries ("float64", "bfloat16", "int8",
/// "bool", "string", or as the file has it where it is not read) and its sizes. A scalar has none; one of 0
/// makes an array empty.
struct ArrayInfo {
  std::string name;
  std::string dtype;
  std::vector<Index> shape;
};

/// Whether an entry that is infinite or no number is refused.
enum class Finite { kRequired, kNotRequired };

/// The arrays of a file by name, their entries read when they are asked for: a checkpoint of gigabytes opens
/// in a moment. What is no array of numbers is listed too, and refused only when it is read: a file may hold
/// what nobody needs. Every message names the file, and the array and the place in it where there is one, and
/// is thrown as std::invalid_argument. Not for two threads at once.
class ArrayFile {
 public:
  ArrayFile(const ArrayFile&) = delete;
  ArrayFile& operator=(const ArrayFile&) = delete;
  virtual ~ArrayFile();

  /// What messages call the file.
  [[nodiscard]] const std::string& name() const { return name_; }

  /// In the file's order. The one array of a .npy file has an empty name.
  [[nodiscard]] const std::vector<ArrayInfo>& arrays() const { return arrays_; }

  /// Null if there is none.
  [[nodiscard]] const ArrayInfo* find(std::string_view name) const;

  /// The entries first … first + values.size() − 1 of one of `arrays()`, counted in row-major order whatever
  /// the order in the file. Refuses an entry that is not exactly a double, one that is not finite where it
  /// has to be, and what `require_numbers` refuses. Throws std::out_of_range for entries that the array does
  /// not have.
  void read(const ArrayInfo& array, Index first, std::span<double> values,
            Finite finite = Finite::kRequired) const;

  /// Refuses an array that is empty or not of numbers.
  void require_numbers(const ArrayInfo& array) const;

  /// A list of strings (`tokens`) or a single one (`heads[0].name`), where the format has them. Null if there
  /// is none.
  [[nodiscard]] virtual const std::vector<std::string>* texts(std::string_view name) const;

 protected:
  explicit ArrayFile(std::string name);

  /// Its number is the count of those before it. Refuses a shape that `entries_of` refuses, and a name that
  /// was added before.
  void add(ArrayInfo array);

 private:
  virtual void read_entries(std::size_t number, Index first, std::span<double> values) const = 0;
  /// Throws where the entries are no numbers.
  virtual void check_numbers(std::size_t number) const = 0;

  std::string name_;
  std::vector<ArrayInfo> arrays_;
  std::map<std::string, std::size_t, std::less<>> names_;
};

}  // namespace mha::input
