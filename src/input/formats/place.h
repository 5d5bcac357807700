#pragma once

#include <span>
#include <string>
#include <string_view>

#include "attention/matrix.h"

/// How messages name what is wrong: the file, the array in it, the entry, and why.
namespace mha::input {

/// A key as a message shows it: between double quotes, control characters escaped, a long one cut.
std::string quoted_key(std::string_view key);

/// An array of a file, `--input 'm.npz': "A"`, and an entry of it, counted from 1: `…: "A", row 2, column 3`,
/// `…, slice 1, row 2, column 3`.
std::string place_of(const std::string& file, const std::string& array);
std::string place_of(const std::string& file, const std::string& array, std::span<const Index> index);

/// Throws std::invalid_argument: `place: why`.
[[noreturn]] void refuse(const std::string& place, const std::string& why);

}  // namespace mha::input
