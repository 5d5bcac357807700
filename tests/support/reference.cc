#include "tests/support/reference.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace mha::test {

Matrix reference_weights(const Matrix& Q, const Matrix& K) {
  const Index T = Q.rows();
  const long double scale = 1.0L / std::sqrt(static_cast<long double>(Q.cols()));
  Matrix A = Matrix::Zero(T, T);
  for (Index t = 0; t < T; ++t) {
    std::vector<long double> scores;
    for (Index i = 0; i <= t; ++i) {
      long double dot = 0.0L;
      for (Index c = 0; c < Q.cols(); ++c) dot += static_cast<long double>(Q(t, c)) * K(i, c);
      scores.push_back(dot * scale);
    }
    const long double largest = *std::max_element(scores.begin(), scores.end());
    long double sum = 0.0L;
    for (const long double s : scores) sum += std::exp(s - largest);
    for (Index i = 0; i <= t; ++i) {
      A(t, i) = static_cast<double>(std::exp(scores[static_cast<std::size_t>(i)] - largest) / sum);
    }
  }
  return A;
}

}  // namespace mha::test
