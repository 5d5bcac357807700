#pragma once

#include <random>

#include "attention/matrix.h"

namespace mha::test {

/// A matrix of independent standard normal entries times `scale`.
inline Matrix random_matrix(Index rows, Index cols, std::mt19937& engine, double scale = 1.0) {
  std::normal_distribution<double> normal;
  Matrix matrix(rows, cols);
  for (Index r = 0; r < rows; ++r) {
    for (Index c = 0; c < cols; ++c) matrix(r, c) = scale * normal(engine);
  }
  return matrix;
}

/// A whole number from `least` to `most`.
inline Index random_size(Index least, Index most, std::mt19937& engine) {
  return std::uniform_int_distribution<Index>(least, most)(engine);
}

}  // namespace mha::test
