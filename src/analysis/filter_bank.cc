#include "analysis/filter_bank.h"

#include <algorithm>
#include <cmath>

#include "attention/causal_attention.h"
#include "attention/multi_head.h"
#include "attention/progress.h"

namespace mha::analysis {
namespace {

/// Rows of O compared at a time: enough to occupy every thread, little enough not to show in memory.
constexpr Index kRows = 2048;

}  // namespace

ConstBlock synthesis_block(const Matrix& W_O, Index h, Index d_v) { return W_O.middleRows(h * d_v, d_v); }

void filter_bank_term(const attention::Layer& layer, const attention::Head& head, const ConstBlock& W_O_h,
                      Index first, Block term) {
  // A row that sums to 1 over the tokens of X, or to 0: elsewhere A_h V_h says more.
  const bool of_tokens = !head.M && !head.sink && head.K && head.K->rows() == layer.X.rows();
  if (head.W_V.size() == 0 || !of_tokens) {
    Matrix O(term.rows(), W_O_h.rows());
    attention::head_output(layer, head, first, O);
    return attention::project(O, W_O_h, term);
  }
  Matrix filtered(term.rows(), layer.X.cols());
  attention::head_output(*head.Q, *head.K, layer.X, first, filtered, layer.rules);  // A_h X
  Matrix values(term.rows(), head.W_V.cols());
  attention::project(filtered, head.W_V, values);
  attention::project(values, W_O_h, term);
  if (head.b_V.size() == 0) return;
  const Matrix of_bias = head.b_V.lazyProduct(W_O_h);
  for (Index r = 0; r < term.rows(); ++r) {
    if (layer.rules.mask.visible(first + r, layer.T_k) > 0) term.row(r) += of_bias.row(0);
  }
}

void sum_of_terms(const std::vector<RowSource>& terms, const Matrix& b_O, Index first, Block O) {
  O.setZero();
  Matrix term(O.rows(), O.cols());
  for (const RowSource& fill : terms) {
    fill(first, term);
    O += term;
  }
  if (b_O.size() > 0) O.rowwise() += b_O.row(0);
}

double largest_deviation(Index T, Index width, const RowSource& O, const std::vector<RowSource>& terms,
                         const Matrix& b_O) {
  // Each head filters twice, for the two sides.
  const double sides = 2.0 * static_cast<double>(terms.size());
  attention::plan_pairs(sides * attention::causal_pairs(0.0, static_cast<double>(T)));

  double largest = 0.0;
  for (Index first = 0; first < T; first += kRows) {
    const Index n = std::min(kRows, T - first);
    Matrix rows(n, width);
    Matrix sum(n, width);
    O(first, rows);
    sum_of_terms(terms, b_O, first, sum);
    const double deviation = (rows - sum).cwiseAbs().maxCoeff<Eigen::PropagateNaN>();
    if (std::isnan(deviation)) return deviation;
    largest = std::max(largest, deviation);
    attention::finish_pairs(sides *
                            attention::causal_pairs(static_cast<double>(first), static_cast<double>(n)));
  }
  return largest;
}

double slice_deviation(const attention::Layer& layer) {
  Matrix Q_all(layer.X.rows(), layer.W_Q.cols());
  attention::project(layer.X, layer.W_Q, Q_all);
  if (layer.b_Q.size() > 0) Q_all.rowwise() += layer.b_Q.row(0);
  const Matrix& Q_1 = *layer.heads.front().Q;
  return (Q_all.leftCols(Q_1.cols()) - Q_1).cwiseAbs().maxCoeff();
}

}  // namespace mha::analysis
