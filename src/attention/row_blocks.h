#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "attention/aligned_doubles.h"
#include "attention/kernel/kernel.h"
#include "attention/layer.h"

/// How the rows of heads are shared out: K and V packed once, then blocks of rows taken from a queue.
namespace mha::attention {

/// What is to be computed: A, for which V is not packed, or A V.
enum class Wanted { kWeights, kOutputs };

/// The rows first … first + n − 1 of some heads, all with the same T_q and T_k.
class RowBlocks {
 public:
  /// Packs the keys and values that those rows may see, on as many threads as the work is worth.
  RowBlocks(std::span<const Head> heads, const Rules& rules, Wanted wanted, Index first, Index n);

  /// A block to be done: by which kernel, of which head, which rows, and memory for it.
  struct Task {
    const kernel::Kernel& kernel;
    std::size_t head;
    const kernel::PackedHead& packed;
    Index first;
    Index n;
    double* scratch;
  };

  /// Calls `work` for every block, from several threads. The longest blocks, the last rows, go first, so
  /// that no thread is left with one when the others have ended.
  void for_each(const std::function<void(const Task&)>& work) const;

 private:
  void pack(std::span<const Head> heads);
  void lay_out(std::span<const Head> heads);

  const kernel::Kernel& kernel_;
  Rules rules_;
  Wanted wanted_;
  Index first_;
  Index n_;
  bool has_extra_;                ///< a key that every query sees, the last one
  std::vector<Index> positions_;  ///< of the keys that are packed, where padding is left out
  Index keys_;                    ///< to be packed: up to the last that some row sees
  Index height_ = 0;              ///< rows in a block
  int threads_ = 1;
  std::vector<kernel::PackedHead> packed_;
  AlignedDoubles memory_;  ///< all of K and V, packed
};

/// Rows in a block of a head of these widths, where there are `tiles` tiles of all the heads together: low
/// enough that every thread gets several blocks, and that the scratch memory of one stays in a cache.
Index block_height(const kernel::Kernel& kernel, Index d_k, Index d_v, Index tiles, int threads);

/// Threads that `operations` multiply-adds are worth: none is started for less than it costs.
int worthwhile_threads(double operations);

}  // namespace mha::attention
