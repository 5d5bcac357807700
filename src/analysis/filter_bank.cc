#include "analysis/filter_bank.h"

#include <algorithm>

#include "attention/causal_attention.h"
#include "attention/multi_head.h"
#include "attention/progress.h"

namespace mha::analysis {
namespace {

/// Rows of O compared at a time: enough to occupy every thread, little enough not to show in memory.
constexpr Index kRows = 2048;

}  // namespace

ConstBlock synthesis_block(const Matrix& W_O, Index h, Index d_v) { return W_O.middleRows(h * d_v, d_v); }

void filter_bank_term(const Matrix& X, const std::vector<BankHead>& heads, const Matrix& W_O, Index h,
                      Index first, Block term) {
  const BankHead& head = heads[static_cast<std::size_t>(h)];
  Matrix filtered(term.rows(), X.cols());
  attention::head_output(head.Q, head.K, X, first, filtered);  // A_h X
  term = filtered * head.W_V * synthesis_block(W_O, h, head.W_V.cols());
}

void filter_bank_sum(const Matrix& X, const std::vector<BankHead>& heads, const Matrix& W_O, Index first,
                     Block O) {
  O.setZero();
  Matrix term(O.rows(), O.cols());
  for (Index h = 0; h < static_cast<Index>(heads.size()); ++h) {
    filter_bank_term(X, heads, W_O, h, first, term);
    O += term;
  }
}

std::vector<attention::Head> with_values(const Matrix& X, const std::vector<BankHead>& heads) {
  std::vector<attention::Head> narrow;
  narrow.reserve(heads.size());
  for (const BankHead& head : heads) narrow.push_back({head.Q, head.K, X * head.W_V});
  return narrow;
}

double filter_bank_deviation(const Matrix& X, const std::vector<BankHead>& heads, const Matrix& W_O) {
  const std::vector<attention::Head> narrow = with_values(X, heads);

  // Each head filters twice, for the two sides.
  const double sides = 2.0 * static_cast<double>(heads.size());
  attention::plan_pairs(sides * attention::causal_pairs(0.0, static_cast<double>(X.rows())));

  double largest = 0.0;
  for (Index first = 0; first < X.rows(); first += kRows) {
    const Index n = std::min(kRows, X.rows() - first);
    Matrix O(n, W_O.cols());
    Matrix O_sum(n, W_O.cols());
    attention::multi_head_output(narrow, W_O, first, O);
    filter_bank_sum(X, heads, W_O, first, O_sum);
    largest = std::max(largest, (O - O_sum).cwiseAbs().maxCoeff());
    attention::finish_pairs(sides *
                            attention::causal_pairs(static_cast<double>(first), static_cast<double>(n)));
  }
  return largest;
}

}  // namespace mha::analysis
