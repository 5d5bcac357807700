#include "attention/causal_attention.h"

#include <algorithm>
#include <cmath>

namespace mha::attention {
namespace {

/// s_i = (q · k_i) / √d_k for the keys i ≤ t that query t may see.
void scores(const Matrix& Q, const Matrix& K, Index t, double* s) {
  const Index d_k = Q.cols();
  const double scale = 1.0 / std::sqrt(static_cast<double>(d_k));
  const double* q = Q.row(t).data();
  for (Index i = 0; i <= t; ++i) {
    const double* k = K.row(i).data();
    double dot = 0.0;
    for (Index c = 0; c < d_k; ++c) dot += q[c] * k[c];
    s[i] = dot * scale;
  }
}

/// p_i = exp(s_i − max s) / Σ_j exp(s_j − max s), in place. The maximum comes off first so that no
/// exponential can overflow; the largest term is then exactly 1 and the sum is never 0.
void softmax(double* s, Index n) {
  const double largest = *std::max_element(s, s + n);
  double sum = 0.0;
  for (Index i = 0; i < n; ++i) {
    s[i] = std::exp(s[i] - largest);
    sum += s[i];
  }
  for (Index i = 0; i < n; ++i) s[i] /= sum;
}

}  // namespace

void attention_weights(const Matrix& Q, const Matrix& K, Index first, Block A) {
  for (Index r = 0; r < A.rows(); ++r) {
    const Index t = first + r;
    double* a = A.row(r).data();
    scores(Q, K, t, a);
    softmax(a, t + 1);
    std::fill(a + t + 1, a + A.cols(), 0.0);
  }
}

void head_output(const Matrix& Q, const Matrix& K, const Matrix& V, Index first, Block O) {
  Eigen::VectorXd a(first + O.rows());
  for (Index r = 0; r < O.rows(); ++r) {
    const Index t = first + r;
    scores(Q, K, t, a.data());
    softmax(a.data(), t + 1);
    O.row(r).setZero();
    for (Index i = 0; i <= t; ++i) O.row(r) += a[i] * V.row(i);
  }
}

double largest_score_bound(const Matrix& Q, const Matrix& K) {
  return Q.cwiseAbs().colwise().maxCoeff().dot(K.cwiseAbs().colwise().maxCoeff());
}

}  // namespace mha::attention
