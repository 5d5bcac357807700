#include "attention/causal_attention.h"

#include "attention/kernel/kernel.h"
#include "attention/row_blocks.h"

namespace mha::attention {
namespace {

/// A matrix that somebody else holds for as long as the call takes.
SharedMatrix borrowed(const Matrix& M) { return {SharedMatrix(), &M}; }

/// The rows of `block`, which begins with row `first` of the whole, from row `row` of the whole on.
kernel::Rows rows_from(Block& block, Index first, Index row) {
  return {block.data() + (row - first) * block.outerStride(), block.outerStride()};
}

}  // namespace

void attention_weights(const Head& head, Index first, Block A, const Rules& rules) {
  const RowBlocks blocks({&head, 1}, rules, Wanted::kWeights, first, A.rows());
  blocks.for_each([&](const RowBlocks::Task& task) {
    task.kernel.weight_rows(task.packed, task.first, task.n, A.cols(), task.scratch,
                            rows_from(A, first, task.first));
  });
}

void head_output(const Head& head, Index first, Block O, const Rules& rules) {
  const RowBlocks blocks({&head, 1}, rules, Wanted::kOutputs, first, O.rows());
  blocks.for_each([&](const RowBlocks::Task& task) {
    task.kernel.output_rows(task.packed, task.first, task.n, task.scratch, rows_from(O, first, task.first));
  });
}

void row_partition(const Head& head, Index first, Block Z_E, const Rules& rules) {
  const RowBlocks blocks({&head, 1}, rules, Wanted::kWeights, first, Z_E.rows());
  blocks.for_each([&](const RowBlocks::Task& task) {
    task.kernel.partition_rows(task.packed, task.first, task.n, task.scratch,
                               rows_from(Z_E, first, task.first));
  });
}

void attention_weights(const Matrix& Q, const Matrix& K, Index first, Block A, const Rules& rules) {
  attention_weights({.Q = borrowed(Q), .K = borrowed(K)}, first, A, rules);
}

void head_output(const Matrix& Q, const Matrix& K, const Matrix& V, Index first, Block O,
                 const Rules& rules) {
  head_output({.Q = borrowed(Q), .K = borrowed(K), .V = borrowed(V)}, first, O, rules);
}

void row_partition(const Matrix& Q, const Matrix& K, Index first, Block Z_E, const Rules& rules) {
  row_partition({.Q = borrowed(Q), .K = borrowed(K)}, first, Z_E, rules);
}

double largest_score_bound(const Matrix& Q, const Matrix& K) {
  return Q.cwiseAbs().colwise().maxCoeff().dot(K.cwiseAbs().colwise().maxCoeff());
}

}  // namespace mha::attention
