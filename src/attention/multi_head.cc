#include "attention/multi_head.h"

#include "attention/causal_attention.h"

namespace mha::attention {

void concat(const std::vector<Head>& heads, Index first, Block O_concat) {
  Index column = 0;
  for (const Head& head : heads) {
    const Index d_v = head.V.cols();
    head_output(head.Q, head.K, head.V, first, O_concat.middleCols(column, d_v));
    column += d_v;
  }
}

void multi_head_output(const std::vector<Head>& heads, const Matrix& W_O, Index first, Block O) {
  Matrix O_concat(O.rows(), W_O.rows());
  concat(heads, first, O_concat);
  // Summed in one fixed order. Eigen's product chooses its order by the height of the block, and the last
  // bits of a row would depend on the rows that it is asked for with: text and JSON would disagree.
  O.setZero();
  for (Index r = 0; r < O.rows(); ++r) {
    for (Index c = 0; c < W_O.rows(); ++c) O.row(r) += O_concat(r, c) * W_O.row(c);
  }
}

}  // namespace mha::attention
