#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "attention/matrix.h"
#include "text/quote.h"

/// How messages say what is wrong: the file, the array in it, the entry, and why; and the shapes that they
/// show. Everything that refuses throws std::invalid_argument.
namespace mha::input {

using text::quoted_key;

/// An array of a file, `--input 'm.npz': "A"`, and an entry of it, counted from 1: `…: "A", row 2, column 3`,
/// `…, slice 1, row 2, column 3`.
std::string place_of(const std::string& file, const std::string& array);
std::string place_of(const std::string& file, const std::string& array, std::span<const Index> index);

/// `message`, and `place: why`.
[[noreturn]] void refuse(const std::string& message);
[[noreturn]] void refuse(const std::string& place, const std::string& why);

/// Refuses two lengths, widths or counts that differ: `what` is `found`, and `than` is `right`.
void require_same(Index found, Index right, const std::string& what, const std::string& than);

/// `[2, 3]`
std::string shown_shape(std::span<const Index> shape);

/// How many entries an array of that shape has. Refuses, `place` first, a size below 0, more entries than
/// 2^63 − 1, and more than 32 sizes (NumPy's own limit).
Index entries_of(std::span<const Index> shape, const std::string& place);

/// How many bytes they take. Refuses, `place` first, what is beyond 2^63 − 1.
std::uint64_t bytes_of(Index entries, std::size_t entry_size, const std::string& place);

/// The index, from 0, of an entry counted in row-major order.
std::vector<Index> index_of(std::span<const Index> shape, Index entry);

/// An index as messages show it, counted from 1: `entry 3`; `row 2`, `column 3`; `slice 1`, `row 2`, `column
/// 3`.
std::vector<std::string> index_words(std::span<const Index> index);

}  // namespace mha::input
