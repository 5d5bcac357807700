#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "attention/matrix.h"
#include "input/formats/entries.h"

namespace mha::input {

/// What the header of a .npy file says (NumPy's "NEP 1", versions 1.0 to 3.0 of the format).
struct NpyHeader {
  std::string dtype;                ///< "float64"; as in the file where it is not read
  const EntryType* type = nullptr;  ///< null for a dtype that is not read: objects, strings, structures, …
  bool column_major = false;
  bool big_endian = false;
  std::vector<Index> shape;
  std::size_t size = 0;  ///< bytes of the header: the entries begin after it
};

/// Reads and checks it. `next` has to fill what it is given with the bytes that follow those it gave before.
/// Throws std::invalid_argument, `place` first.
NpyHeader read_npy_header(const std::function<void(std::span<std::byte>)>& next, const std::string& place);

/// Throws std::invalid_argument, `place` first, for a dtype that is not read.
const EntryType& number_type(const NpyHeader& header, const std::string& place);

/// The bytes of an entry of a dtype of strings, `<U5` (UCS-4) or `|S5`. 0 for another dtype.
std::size_t string_size(const NpyHeader& header);

/// The strings that those entries are, as UTF-8, without the NULs that fill them up.
std::vector<std::string> strings_of(const NpyHeader& header, std::span<const std::byte> entries);

}  // namespace mha::input
