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

void attention_weights(const Matrix& Q, const Matrix& K, Index first, Block A, Mask mask) {
  const std::array<HeadInputs, 1> head = {{{&Q, &K, nullptr}}};
  const RowBlocks blocks(head, mask, first, A.rows());
  A.topRows(blocks.blind()).setZero();
  blocks.for_each([&](const RowBlocks::Task& task) {
    task.kernel.weight_rows(task.packed, task.first, task.n, A.cols(), task.scratch,
                            rows_from(A, first, task.first));
  });
}

void head_output(const Matrix& Q, const Matrix& K, const Matrix& V, Index first, Block O, Mask mask) {
  const std::array<HeadInputs, 1> head = {{{&Q, &K, &V}}};
  const RowBlocks blocks(head, mask, first, O.rows());
  O.topRows(blocks.blind()).setZero();
  blocks.for_each([&](const RowBlocks::Task& task) {
    task.kernel.output_rows(task.packed, task.first, task.n, task.scratch, rows_from(O, first, task.first));
  });
}

void row_partition(const Matrix& Q, const Matrix& K, Index first, Block Z_E, Mask mask) {
  const std::array<HeadInputs, 1> head = {{{&Q, &K, nullptr}}};
  const RowBlocks blocks(head, mask, first, Z_E.rows());
  Z_E.topRows(blocks.blind()).rowwise() = Eigen::RowVector2d(1.0, 0.0);
  blocks.for_each([&](const RowBlocks::Task& task) {
    task.kernel.partition_rows(task.packed, task.first, task.n, task.scratch,
                               rows_from(Z_E, first, task.first));
  });
}

double largest_score_bound(const Matrix& Q, const Matrix& K) {
  return Q.cwiseAbs().colwise().maxCoeff().dot(K.cwiseAbs().colwise().maxCoeff());
}

}  // namespace mha::attention
