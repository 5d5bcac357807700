#include "analysis/rank.h"

#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <limits>

namespace mha::analysis {
namespace {

/// The triangular factor of a thin QR of M / 2^exponent. Scaled to entries near 1, because QR squares
/// them: an unscaled 1e200 would overflow and a 1e-200 vanish, and the rank must not depend on the gain.
Eigen::MatrixXd scaled_triangle(const Matrix& M, int& exponent) {
  const double largest = M.cwiseAbs().maxCoeff();
  exponent = largest > 0.0 ? std::ilogb(largest) : 0;
  // In two halves, since 2^−exponent itself overflows for subnormal entries.
  const int half = exponent / 2;
  const Eigen::MatrixXd scaled = M * std::ldexp(1.0, -half) * std::ldexp(1.0, half - exponent);
  const Index k = std::min(M.rows(), M.cols());
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(scaled);
  return qr.matrixQR().topRows(k).triangularView<Eigen::Upper>();
}

}  // namespace

NumericalRank rank_of_product(const Matrix& L, const Matrix& R) {
  int left_exponent = 0;
  int right_exponent = 0;
  const Eigen::MatrixXd B = scaled_triangle(L, left_exponent);
  const Eigen::MatrixXd C = scaled_triangle(R, right_exponent);
  const Eigen::VectorXd s = Eigen::BDCSVD<Eigen::MatrixXd>(B * C.transpose()).singularValues();

  const auto longest = static_cast<double>(std::max(L.rows(), R.rows()));
  const double tolerance = longest * s[0] * std::numeric_limits<double>::epsilon();
  NumericalRank result{0, {}, std::ldexp(tolerance, left_exponent + right_exponent)};
  for (const double value : s) {
    if (value > tolerance) ++result.rank;
    result.singular_values.push_back(std::ldexp(value, left_exponent + right_exponent));
  }
  return result;
}

}  // namespace mha::analysis
