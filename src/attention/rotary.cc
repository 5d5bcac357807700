#include "attention/rotary.h"

#include <cmath>

namespace mha::attention {

Matrix rotated(const Matrix& M, Index first, const Rotary& rotary, bool back) {
  Matrix result = M;
  const Index half = rotary.dims / 2;
  const bool interleaved = rotary.pairs == RotaryPairs::kInterleaved;
  for (Index r = 0; r < M.rows(); ++r) {
    const auto position = static_cast<double>(first + r);
    for (Index c = 0; c < half; ++c) {
      const double exponent = -2.0 * static_cast<double>(c) / static_cast<double>(rotary.dims);
      const double angle = position * std::pow(rotary.base, exponent) * (back ? -1.0 : 1.0);
      const Index x = interleaved ? 2 * c : c;
      const Index y = interleaved ? 2 * c + 1 : c + half;
      result(r, x) = M(r, x) * std::cos(angle) - M(r, y) * std::sin(angle);
      result(r, y) = M(r, x) * std::sin(angle) + M(r, y) * std::cos(angle);
    }
  }
  return result;
}

Matrix rms_normed(const Matrix& M, const Matrix& weight, double epsilon) {
  Matrix result = M;
  for (Index r = 0; r < M.rows(); ++r) {
    const double mean_square = M.row(r).squaredNorm() / static_cast<double>(M.cols());
    result.row(r) = (M.row(r) / std::sqrt(mean_square + epsilon)).cwiseProduct(weight.row(0));
  }
  return result;
}

}  // namespace mha::attention
