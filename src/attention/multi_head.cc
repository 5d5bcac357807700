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
  O.noalias() = O_concat * W_O;
}

}  // namespace mha::attention
