#include "analysis/filter_bank.h"

#include <algorithm>

#include "attention/causal_attention.h"
#include "attention/multi_head.h"

namespace mha::analysis {
namespace {

/// Rows of O compared at a time: enough to amortise a call, little enough to stay in cache.
constexpr Index kRows = 64;

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

double filter_bank_deviation(const Matrix& X, const std::vector<BankHead>& heads, const Matrix& W_O) {
  std::vector<attention::Head> narrow;
  narrow.reserve(heads.size());
  for (const BankHead& head : heads) narrow.push_back({head.Q, head.K, X * head.W_V});

  double largest = 0.0;
  for (Index first = 0; first < X.rows(); first += kRows) {
    const Index n = std::min(kRows, X.rows() - first);
    Matrix O(n, W_O.cols());
    Matrix O_sum(n, W_O.cols());
    attention::multi_head_output(narrow, W_O, first, O);
    filter_bank_sum(X, heads, W_O, first, O_sum);
    largest = std::max(largest, (O - O_sum).cwiseAbs().maxCoeff());
  }
  return largest;
}

}  // namespace mha::analysis
