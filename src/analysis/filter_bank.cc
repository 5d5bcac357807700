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
  attention::head_output(head.Q, head.K, X, head.mask, first, filtered);  // A_h X
  term = filtered * head.W_V * W_O_h;
  if (head.b_V.size() == 0) return;
  const Index blind = std::clamp<Index>(-head.mask.diagonal - first, 0, term.rows());
  term.bottomRows(term.rows() - blind).rowwise() += (head.b_V * W_O_h).row(0);
}

void filter_bank_sum(const Matrix& X, const std::vector<BankHead>& heads, const Matrix& W_O, Index first,
                     Block O) {
  O.setZero();
  Matrix term(O.rows(), O.cols());
  for (Index h = 0; h < static_cast<Index>(heads.size()); ++h) {
    const BankHead& head = heads[static_cast<std::size_t>(h)];
    filter_bank_term(X, head, synthesis_block(W_O, h, head.W_V.cols()), first, term);
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
  const RowSource O = [&](Index first, Block rows) {
    attention::multi_head_output(narrow, W_O, first, rows);
  };
  std::vector<RowSource> terms;
  for (Index h = 0; h < static_cast<Index>(heads.size()); ++h) {
    terms.emplace_back([&, h](Index first, Block term) {
      const BankHead& head = heads[static_cast<std::size_t>(h)];
      filter_bank_term(X, head, synthesis_block(W_O, h, head.W_V.cols()), first, term);
    });
  }
  return largest_deviation(X.rows(), W_O.cols(), O, terms, {});
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
    Matrix sum = Matrix::Zero(n, width);
    Matrix term(n, width);
    O(first, rows);
    for (const RowSource& fill : terms) {
      fill(first, term);
      sum += term;
    }
    if (b_O.size() > 0) sum.rowwise() += b_O.row(0);
    const double deviation = (rows - sum).cwiseAbs().maxCoeff<Eigen::PropagateNaN>();
    if (std::isnan(deviation)) return deviation;
    largest = std::max(largest, deviation);
    attention::finish_pairs(sides *
                            attention::causal_pairs(static_cast<double>(first), static_cast<double>(n)));
  }
  return largest;
}

}  // namespace mha::analysis
