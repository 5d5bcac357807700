#pragma once

#include <Eigen/Core>
#include <functional>
#include <type_traits>

#include "attention/index.h"

namespace mha {

// Where a pointer has 32 bits, compile with -DEIGEN_DEFAULT_DENSE_INDEX_TYPE="long long".
static_assert(sizeof(Index) == 8 && sizeof(Eigen::Index) == 8, "an Eigen index must have 64 bits");
static_assert(std::is_convertible_v<Eigen::Index, Index>);

/// Row-major, because everything here is read and written a token (a row) at a time.
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// A matrix, or a block of one, to read or to write in place, without a copy.
using ConstBlock = Eigen::Ref<const Matrix>;
using Block = Eigen::Ref<Matrix>;

/// A matrix as a source of its rows, so that nobody has to hold it: fills `rows` (n × cols) with the rows
/// first … first + n − 1 (0-based).
using RowSource = std::function<void(Index first, Block rows)>;

}  // namespace mha
