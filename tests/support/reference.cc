#include "tests/support/reference.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace mha::test {
namespace {

/// The weights of query t; 0 for the keys that it does not see.
std::vector<long double> reference_row(const Matrix& Q, const Matrix& K, const attention::Mask& mask,
                                       const Extras& extras, Index t) {
  const long double scale = extras.scale ? static_cast<long double>(*extras.scale)
                                         : 1.0L / std::sqrt(static_cast<long double>(Q.cols()));
  constexpr long double kUnseen = -std::numeric_limits<long double>::infinity();
  std::vector<long double> row;
  for (Index i = 0; i < K.rows(); ++i) {
    long double dot = 0.0L;
    for (Index c = 0; mask.sees(t, i) && c < Q.cols(); ++c)
      dot += static_cast<long double>(Q(t, c)) * K(i, c);
    long double score = dot * scale;
    if (extras.softcap) score = *extras.softcap * std::tanh(score / *extras.softcap);
    if (extras.M != nullptr && i < extras.M->cols()) score += (*extras.M)(t, i);
    row.push_back(mask.sees(t, i) ? score : kUnseen);
  }
  long double largest = extras.sink ? static_cast<long double>(*extras.sink) : kUnseen;
  for (const long double s : row) largest = std::max(largest, s);
  if (largest == kUnseen) return std::vector<long double>(row.size(), 0.0L);
  long double sum = extras.sink ? std::exp(*extras.sink - largest) : 0.0L;
  for (long double& s : row) {
    s = s == kUnseen ? 0.0L : std::exp(s - largest);
    sum += s;
  }
  for (long double& p : row) p /= sum;
  return row;
}

}  // namespace

Matrix reference_weights(const Matrix& Q, const Matrix& K, const attention::Mask& mask,
                         const Extras& extras) {
  Matrix A = Matrix::Zero(Q.rows(), K.rows());
  for (Index t = 0; t < Q.rows(); ++t) {
    Index i = 0;
    for (const long double p : reference_row(Q, K, mask, extras, t)) A(t, i++) = static_cast<double>(p);
  }
  return A;
}

Matrix reference_output(const Matrix& Q, const Matrix& K, const Matrix& V, const attention::Mask& mask,
                        const Extras& extras) {
  Matrix O(Q.rows(), V.cols());
  for (Index t = 0; t < Q.rows(); ++t) {
    const std::vector<long double> p = reference_row(Q, K, mask, extras, t);
    for (Index c = 0; c < V.cols(); ++c) {
      long double sum = 0.0L;
      Index i = 0;
      for (const long double weight : p) {
        if (weight > 0.0L) sum += weight * V(i, c);
        ++i;
      }
      O(t, c) = static_cast<double>(sum);
    }
  }
  return O;
}

Matrix reference_entropies(const Matrix& Q, const Matrix& K, const attention::Mask& mask,
                           const Extras& extras) {
  Extras without_sink = extras;
  without_sink.sink.reset();
  Matrix bits(Q.rows(), 1);
  for (Index t = 0; t < Q.rows(); ++t) {
    long double sum = 0.0L;
    for (const long double p : reference_row(Q, K, mask, without_sink, t)) {
      if (p > 0.0L) sum -= p * std::log2(p);
    }
    bits(t, 0) = static_cast<double>(sum);
  }
  return bits;
}

}  // namespace mha::test
