#include "attention/causal_attention.h"

#include <array>

#include "attention/kernel/kernel.h"
#include "attention/row_blocks.h"

namespace mha::attention {
namespace {

/// The rows of `block`, which begins with row `first` of the whole, from row `row` of the whole on.
kernel::Rows rows_from(Block& block, Index first, Index row) {
  return {block.data() + (row - first) * block.outerStride(), block.outerStride()};
}

}  // namespace

void attention_weights(const Matrix& Q, const Matrix& K, Index first, Block A) {
  const std::array<HeadInputs, 1> head = {{{&Q, &K, nullptr}}};
  RowBlocks(head, first, A.rows()).for_each([&](const RowBlocks::Task& task) {
    task.kernel.weight_rows(task.packed, task.first, task.n, A.cols(), task.scratch,
                            rows_from(A, first, task.first));
  });
}

void head_output(const Matrix& Q, const Matrix& K, const Matrix& V, Index first, Block O) {
  const std::array<HeadInputs, 1> head = {{{&Q, &K, &V}}};
  RowBlocks(head, first, O.rows()).for_each([&](const RowBlocks::Task& task) {
    task.kernel.output_rows(task.packed, task.first, task.n, task.scratch, rows_from(O, first, task.first));
  });
}

void row_partition(const Matrix& Q, const Matrix& K, Index first, Block Z_E) {
  const std::array<HeadInputs, 1> head = {{{&Q, &K, nullptr}}};
  RowBlocks(head, first, Z_E.rows()).for_each([&](const RowBlocks::Task& task) {
    task.kernel.partition_rows(task.packed, task.first, task.n, task.scratch,
                               rows_from(Z_E, first, task.first));
  });
}

double largest_score_bound(const Matrix& Q, const Matrix& K) {
  return Q.cwiseAbs().colwise().maxCoeff().dot(K.cwiseAbs().colwise().maxCoeff());
}

}  // namespace mha::attention
