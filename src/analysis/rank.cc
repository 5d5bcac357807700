#include "analysis/rank.h"

#include <Eigen/Householder>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

namespace mha::analysis {
namespace {

/// The triangular factor of a thin QR of M / 2^exponent. Scaled to entries near 1, because QR squares
/// them: an unscaled 1e200 would overflow and a 1e-200 vanish, and the rank must not depend on the gain.
///
/// Column by column: Eigen's HouseholderQR works in blocks, and its products took six seconds to compile.
Eigen::MatrixXd scaled_triangle(const Matrix& M, int& exponent) {
  const double largest = M.cwiseAbs().maxCoeff();
  exponent = largest > 0.0 ? std::ilogb(largest) : 0;
  // In two halves, since 2^−exponent itself overflows for subnormal entries.
  const int half = exponent / 2;
  Eigen::MatrixXd scaled = M * std::ldexp(1.0, -half) * std::ldexp(1.0, half - exponent);
  const Index k = std::min(M.rows(), M.cols());
  Eigen::RowVectorXd workspace(M.cols());
  for (Index c = 0; c < k; ++c) {
    const Index below = M.rows() - c;
    double tau = 0.0;
    double beta = 0.0;
    scaled.col(c).tail(below).makeHouseholderInPlace(tau, beta);
    scaled(c, c) = beta;
    scaled.bottomRightCorner(below, M.cols() - c - 1)
        .applyHouseholderOnTheLeft(scaled.col(c).tail(below - 1), tau, workspace.data());
  }
  return scaled.topRows(k).triangularView<Eigen::Upper>();
}

/// The singular values of a matrix, largest first. Jacobi's rotations: as exact as any method, and the
/// factors are small.
Eigen::VectorXd singular_values(const Eigen::MatrixXd& M) {
  // It takes square matrices, or others after a QR of their own; rows or columns of zeros change nothing.
  const Index n = std::max(M.rows(), M.cols());
  Eigen::MatrixXd square = Eigen::MatrixXd::Zero(n, n);
  square.topLeftCorner(M.rows(), M.cols()) = M;
  const Eigen::JacobiSVD<Eigen::MatrixXd, Eigen::NoQRPreconditioner> svd(square);
  return svd.singularValues().head(std::min(M.rows(), M.cols()));
}

}  // namespace

NumericalRank rank_of_product(const Matrix& L, const Matrix& R, attention::Precision precision,
                              std::optional<double> given) {
  int left_exponent = 0;
  int right_exponent = 0;
  const Eigen::MatrixXd B = scaled_triangle(L, left_exponent);
  const Eigen::MatrixXd C = scaled_triangle(R, right_exponent);
  const Eigen::VectorXd s = singular_values(B.lazyProduct(C.transpose()));

  const bool half = precision > attention::Precision::kFloat32;
  const double longest = half ? 1.0 : static_cast<double>(std::max(L.rows(), R.rows()));
  const double tolerance = longest * s[0] * attention::epsilon(precision);
  const int exponent = left_exponent + right_exponent;
  NumericalRank result{0, {}, given.value_or(std::ldexp(tolerance, exponent))};
  for (const double value : s) {
    result.singular_values.push_back(std::ldexp(value, exponent));
    if (given ? result.singular_values.back() > *given : value > tolerance) ++result.rank;
  }
  return result;
}

}  // namespace mha::analysis
