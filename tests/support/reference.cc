#include "tests/support/reference.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace mha::test {
namespace {

/// The weights of query t, for the keys that it may see.
std::vector<long double> reference_row(const Matrix& Q, const Matrix& K, Index t) {
  const long double scale = 1.0L / std::sqrt(static_cast<long double>(Q.cols()));
  std::vector<long double> row;
  for (Index i = 0; i <= t; ++i) {
    long double dot = 0.0L;
    for (Index c = 0; c < Q.cols(); ++c) dot += static_cast<long double>(Q(t, c)) * K(i, c);
    row.push_back(dot * scale);
  }
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

Matrix reference_weights(const Matrix& Q, const Matrix& K) {
  const Index T = Q.rows();
  Matrix A = Matrix::Zero(T, T);
  for (Index t = 0; t < T; ++t) {
    Index i = 0;
    for (const long double p : reference_row(Q, K, t)) A(t, i++) = static_cast<double>(p);
  }
  return A;
}

Matrix reference_output(const Matrix& Q, const Matrix& K, const Matrix& V) {
  Matrix O(Q.rows(), V.cols());
  for (Index t = 0; t < Q.rows(); ++t) {
    const std::vector<long double> p = reference_row(Q, K, t);
    for (Index c = 0; c < V.cols(); ++c) {
      long double sum = 0.0L;
      for (Index i = 0; i <= t; ++i) sum += p[static_cast<std::size_t>(i)] * V(i, c);
      O(t, c) = static_cast<double>(sum);
    }
  }
  return O;
}

Matrix reference_entropies(const Matrix& Q, const Matrix& K) {
  Matrix bits(Q.rows(), 1);
  for (Index t = 0; t < Q.rows(); ++t) {
    long double sum = 0.0L;
    for (const long double p : reference_row(Q, K, t)) {
      if (p > 0.0L) sum -= p * std::log2(p);
    }
    bits(t, 0) = static_cast<double>(sum);
  }
  return bits;
}

}  // namespace mha::test
