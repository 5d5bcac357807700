#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "attention/matrix.h"

namespace mha::input {

/// How many entries an array of that shape has. Throws std::invalid_argument, `place` first, for a size
/// below 1, more entries than fit into 2^63 − 1, or more than 32 sizes (NumPy's own limit).
Index entries_of(std::span<const Index> shape, const std::string& place);

/// What that many entries take. Throws std::invalid_argument, `place` first, beyond 2^63 − 1.
std::uint64_t bytes_of(Index entries, std::size_t entry_size, const std::string& place);

/// The index, from 0, of an entry counted in row-major order.
std::vector<Index> index_of(std::span<const Index> shape, Index entry);

/// An index as messages tell it, counted from 1: `entry 3`; `row 2`, `column 3`; `slice 1`, `row 2`, `column
/// 3`.
std::vector<std::string> index_words(std::span<const Index> index);

/// Throws std::invalid_argument where two lengths, widths or counts differ: `what` is `found`, and `than` is
/// `right`.
void require_same(Index found, Index right, const std::string& what, const std::string& than);

/// `[2, 3]`
std::string shown_shape(std::span<const Index> shape);

}  // namespace mha::input
