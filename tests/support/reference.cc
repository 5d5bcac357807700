#include "tests/support/reference.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace mha::test {
namespace {

/// The weights of query t, for the keys that it may see.
std::vector<long double> reference_row(const Matrix& Q, const Matrix& K, attention::Mask mask, Index t) {
  const long double scale = 1.0L / std::sqrt(static_cast<long double>(Q.cols()));
  std::vector<long double> row;
  for (Index i = 0; i < K.rows() && i <= t + mask.offset; ++i) {
    long double dot = 0.0L;
    for (Index c = 0; c < Q.cols(); ++c) dot += static_cast<long double>(Q(t, c)) * K(i, c);
    row.push_back(dot * scale);
  }
  if (row.empty()) return row;
  const long double largest = *std::max_element(row.begin(), row.end());
  long double sum = 0.0L;
  for (long double& s : row) {
    s = std::exp(s - largest);
    sum += s;
  }
  for (long double& p : row) p /= sum;
  return row;
}

}  // namespace

Matrix reference_weights(const Matrix& Q, const Matrix& K, attention::Mask mask) {
  Matrix A = Matrix::Zero(Q.rows(), K.rows());
  for (Index t = 0; t < Q.rows(); ++t) {
    Index i = 0;
    for (const long double p : reference_row(Q, K, mask, t)) A(t, i++) = static_cast<double>(p);
  }
  return A;
}

Matrix reference_output(const Matrix& Q, const Matrix& K, const Matrix& V, attention::Mask mask) {
  Matrix O(Q.rows(), V.cols());
  for (Index t = 0; t < Q.rows(); ++t) {
    const std::vector<long double> p = reference_row(Q, K, mask, t);
    for (Index c = 0; c < V.cols(); ++c) {
      long double sum = 0.0L;
      Index i = 0;
      for (const long double weight : p) sum += weight * V(i++, c);
      O(t, c) = static_cast<double>(sum);
    }
  }
  return O;
}

Matrix reference_entropies(const Matrix& Q, const Matrix& K, attention::Mask mask) {
  Matrix bits(Q.rows(), 1);
  for (Index t = 0; t < Q.rows(); ++t) {
    long double sum = 0.0L;
    for (const long double p : reference_row(Q, K, mask, t)) {
      if (p > 0.0L) sum -= p * std::log2(p);
    }
    bits(t, 0) = static_cast<double>(sum);
  }
  return bits;
}

}  // namespace mha::test
