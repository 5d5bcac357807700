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

void filter_bank_term(const Matrix& X, const BankHead& head, const ConstBlock& W_O_h, Index first,
                      Block term) {
  Matrix filtered(term.rows(), X.cols());
  attention::head_output(head.Q, head.K, X, first, filtered, head.mask);  // A_h X
  term = filtered * head.W_V * W_O_h;
  if (head.b_V.size() == 0) return;
  const Index blind = head.mask.blind(first, term.rows());
  term.bottomRows(term.rows() - blind).rowwise() += (head.b_V * W_O_h).row(0);
}

std::vector<attention::Head> with_values(const Matrix& X, const std::vector<BankHead>& heads) {
  std::vector<attention::Head> narrow;
  narrow.reserve(heads.size());
  for (const BankHead& head : heads) {
    narrow.push_back({head.Q, head.K, X * head.W_V});
    if (head.b_V.size() > 0) narrow.back().V.rowwise() += head.b_V.row(0);
  }
  return narrow;
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

}  // namespace mha::analysis
