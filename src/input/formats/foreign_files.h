#pragma once

#include <string>
#include <string_view>

namespace mha::input {

/// What a file of another format is, by its first bytes, and what to do with it: `an HDF5 file; save …`.
/// Empty for one that is not known.
std::string foreign_format(std::string_view start);

/// As many bytes as tell all formats that are known.
inline constexpr std::size_t kTellingBytes = 512;

}  // namespace mha::input
