#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "input/formats/array_file.h"
#include "input/formats/byte_source.h"
#include "input/formats/entry_type.h"

namespace mha::input {

/// An array whose entries lie one after the other, and the file that messages name.
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
