#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "input/formats/array_file.h"
#include "input/formats/byte_source.h"

namespace mha::input {

/// An entry that is not exactly a double.
struct Misfit {
  std::size_t at;     ///< its number among those decoded
  std::string value;  ///< as a message shows it
};

/// How an entry is laid out as bytes.
struct EntryType {
  std::string_view name;  ///< "float64"
  std::size_t size;       ///< in bytes

  /// Turns bytes.size() / size entries into as many doubles. Stops at one that no double equals.
  std::optional<Misfit> (*decode)(std::span<const std::byte> bytes, std::span<double> values);
};

/// The type of that name in that byte order: float64, float32, float16, bfloat16, int8 … int64, uint8 …
/// uint64, bool. Null for other names.
const EntryType* entry_type(std::string_view name, bool big_endian = false);

/// What a format writes for a type, and the type's name.
using TypeCode = std::array<std::string_view, 2>;

/// The type that a format with these codes writes so. Null for another code.
const EntryType* entry_type(std::span<const TypeCode> codes, std::string_view code, bool big_endian = false);

/// An array that is stored as its entries one after the other, and the file that messages name.
struct PackedArray {
  const std::string& file;
  const ArrayInfo& array;
  const EntryType& type;
};

/// Entries first, first + 1, … of one whose last index runs fastest and whose bytes begin at `offset`.
/// Throws std::invalid_argument with the place of an entry that no double equals.
void read_row_major(const PackedArray& packed, const ByteSource& bytes, std::uint64_t offset, Index first,
                    std::span<double> values);

/// The same, in row-major order too, of one whose first index runs fastest; `entries` are all its bytes.
void read_column_major(const PackedArray& packed, std::span<const std::byte> entries, Index first,
                       std::span<double> values);

}  // namespace mha::input
