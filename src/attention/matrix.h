#pragma once

#include <Eigen/Core>
#include <functional>

namespace mha {

/// Sizes and positions. 64 bits wide: T · T must not wrap at T = 46341.
using Index = Eigen::Index;

/// Row-major, because everything here is read and written a token (a row) at a time.
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// A matrix, or a block of one, to read or to write in place, without a copy.
using ConstBlock = Eigen::Ref<const Matrix>;
using Block = Eigen::Ref<Matrix>;

/// A matrix as a source of its rows, so that nobody has to hold it: fills `rows` (n × cols) with the rows
/// first … first + n − 1 (0-based).
using RowSource = std::function<void(Index first, Block rows)>;

}  // namespace mha
