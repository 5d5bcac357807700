#include "attention/multi_head.h"

#include <algorithm>
#include <atomic>
#include <vector>

#include "attention/aligned_doubles.h"
#include "attention/kernel/kernel.h"
#include "attention/row_blocks.h"
#include "attention/threads.h"

namespace mha::attention {

/// Tile by tile, the kernel's own product: a general one sums a row in another order when it is asked for by
/// itself than when it is one of many.
void project(const Matrix& X, const Matrix& W, Block Y) {
  const kernel::Kernel& kernel = kernel::chosen();
  const Index depth = W.rows();
  const Index width = W.cols();
  const AlignedDoubles packed(static_cast<std::size_t>(W.size()));
  kernel.pack_values({W.data(), width}, 0, depth, depth, width, packed.data());

  std::atomic<Index> next{0};
  const double operations =
      static_cast<double>(X.rows()) * static_cast<double>(depth) * static_cast<double>(width);
  on_threads(worthwhile_threads(operations), [&] {
    const AlignedDoubles scratch(kernel.scratch_size(depth, width, kernel.tile));
    for (Index row = kernel.tile * next++; row < X.rows(); row = kernel.tile * next++) {
      kernel.product_rows({X.data() + row * depth, depth}, std::min(kernel.tile, X.rows() - row), depth,
                          packed.data(), width, scratch.data(),
                          {Y.data() + row * Y.outerStride(), Y.outerStride()});
    }
  });
}

void concat(std::span<const Head> heads, Index first, Block O_concat, const Rules& rules) {
  std::vector<Index> column;  // where each head's begin
  Index width = 0;
  for (const Head& head : heads) {
    column.push_back(width);
    width += head.V->cols();
  }
  const RowBlocks blocks(heads, rules, Wanted::kOutputs, first, O_concat.rows());
  blocks.for_each([&](const RowBlocks::Task& task) {
    double* O = O_concat.data() + (task.first - first) * O_concat.outerStride() + column[task.head];
    task.kernel.output_rows(task.packed, task.first, task.n, task.scratch, {O, O_concat.outerStride()});
  });
}

}  // namespace mha::attention
