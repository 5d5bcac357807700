#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

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

}  // namespace mha::input
