#pragma once

#include <Eigen/Core>

namespace mha {

/// Sizes and positions. 64 bits wide: T · T must not wrap at T = 46341.
using Index = Eigen::Index;

/// Row-major, because everything here is read and written a token (a row) at a time.
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// A matrix, or a block of one, to read or to write in place, without a copy.
using ConstBlock = Eigen::Ref<const Matrix>;
using Block = Eigen::Ref<Matrix>;

}  // namespace mha
