#include "attention/rotary.h"

#include <cmath>
#include <numbers>

namespace mha::attention {
namespace {

/// The angle from one position to the next of pair c.
double frequency(const Rotary& rotary, Index c) {
  const double f = std::pow(rotary.base, -2.0 * static_cast<double>(c) / static_cast<double>(rotary.dims));
  if (!rotary.scaling) return f;
  const auto& [factor, low, high, length] = *rotary.scaling;
  const double waves = length * f / (2.0 * std::numbers::pi);
  if (waves < low) return f / factor;
  if (waves > high) return f;
  const double s = (waves - low) / (high - low);
  return f * ((1.0 - s) / factor + s);
}

}  // namespace

Matrix rotated(const Matrix& M, Index first, const Rotary& rotary, bool back) {
  Matrix result = M;
  const Index half = rotary.dims / 2;
  const bool interleaved = rotary.pairs == RotaryPairs::kInterleaved;
  for (Index c = 0; c < half; ++c) {
    const double step = frequency(rotary, c) * (back ? -1.0 : 1.0);
    for (Index r = 0; r < M.rows(); ++r) {
      const double angle = static_cast<double>(first + r) * step;
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
