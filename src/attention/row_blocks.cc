#include "attention/row_blocks.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "attention/threads.h"

namespace mha::attention {
namespace {

/// An exponential and what goes with it, in multiply-adds.
constexpr double kExpCost = 20.0;

/// Tiles in a block, at most: the first to meet a block of keys and values waits for them, and 24 tiles
/// share that wait (tests/bench/README.md). And doubles of scratch (768 KiB), of which more would push those
/// keys and values out of a second-level cache.
constexpr Index kMostTiles = 24;
constexpr std::size_t kMostScratch = std::size_t{96} * 1024;

/// Keys packed at a time.
constexpr Index kPackedKeys = 512;

kernel::ConstRows rows_of(const Matrix& matrix) { return {matrix.data(), matrix.cols()}; }

Index values_width(const Head& head, Wanted wanted) {
  return wanted == Wanted::kOutputs ? head.V->cols() : 0;
}

Index padded(Index keys, Index panel) { return (keys + panel - 1) / panel * panel; }

std::size_t packed_size(std::span<const Head> heads, Wanted wanted, Index keys, Index panel) {
  Index size = 0;
  for (const Head& head : heads)
    size += padded(keys, panel) * head.K->cols() + keys * values_width(head, wanted);
  return static_cast<std::size_t>(size);
}

}  // namespace

Index block_height(const kernel::Kernel& kernel, Index d_k, Index d_v, Index tiles, int threads) {
  // The last ones taken are the shortest, so few blocks a thread do.
  constexpr Index kBlocksPerThread = 4;
  Index most = std::clamp<Index>(tiles / (kBlocksPerThread * threads), 1, kMostTiles);
  while (most > 1 && kernel.scratch_size(d_k, d_v, most * kernel.tile) > kMostScratch) --most;
  return most * kernel.tile;
}

int worthwhile_threads(double operations) {
  constexpr double kOperationsPerThread = 1e6;
  const double worth = operations / kOperationsPerThread;
  return worth < 2.0 ? 1 : static_cast<int>(std::min(worth, static_cast<double>(threads())));
}

RowBlocks::RowBlocks(std::span<const Head> heads, const Rules& rules, Wanted wanted, Index first, Index n)
    : kernel_(kernel::chosen()),
      rules_(rules),
      wanted_(wanted),
      without_keys_(rules.mask.without_keys(first, n)),
      first_(first + without_keys_),
      n_(n - without_keys_),
      keys_(n_ > 0 ? rules.mask.visible(first_ + n_ - 1, heads.front().K->rows()) : 0),
      memory_(packed_size(heads, wanted, keys_, kernel_.panel)) {
  double operations = 0.0;
  const double pairs =
      0.5 * static_cast<double>(n_) * static_cast<double>(rules.mask.visible(first_, keys_) + keys_);
  for (const Head& head : heads) {
    const Index width = head.Q->cols() + values_width(head, wanted_);
    operations += pairs * (static_cast<double>(width) + kExpCost);
  }
  const Index tiles = (n_ + kernel_.tile - 1) / kernel_.tile * static_cast<Index>(heads.size());
  threads_ = static_cast<int>(std::clamp<Index>(tiles, 1, worthwhile_threads(operations)));
  height_ = kMostTiles * kernel_.tile;
  for (const Head& head : heads) {
    height_ = std::min(height_,
                       block_height(kernel_, head.Q->cols(), values_width(head, wanted_), tiles, threads_));
  }
  pack(heads);
}

void RowBlocks::pack(std::span<const Head> heads) {
  double* at = memory_.data();
  for (const Head& head : heads) {
    const Index d_k = head.K->cols();
    const Index d_v = values_width(head, wanted_);
    double* K = at;
    double* V = K + padded(keys_, kernel_.panel) * d_k;
    at = V + keys_ * d_v;
    // A scale of its own may be 0 or below: Q takes it, and the exponential none.
    const long double root = std::sqrt(static_cast<long double>(d_k));
    packed_.push_back({rows_of(*head.Q), K, V, keys_, d_k, d_v, rules_.scale.value_or(1.0),
                       rules_.scale ? 1.0L : 1.0L / root, rules_.mask});
  }

  std::atomic<Index> next{0};
  const Index parts = (keys_ + kPackedKeys - 1) / kPackedKeys;
  const Index count = parts * static_cast<Index>(heads.size());
  on_threads(threads_, [&] {
    for (Index i = next++; i < count; i = next++) {
      const auto h = static_cast<std::size_t>(i / parts);
      const Index first = i % parts * kPackedKeys;
      const Index n = std::min(kPackedKeys, keys_ - first);
      const kernel::PackedHead& head = packed_[h];
      kernel_.pack_keys(rows_of(*heads[h].K), first, n, head.d_k, head.K);
      if (head.d_v > 0) {
        kernel_.pack_values(rows_of(*heads[h].V), first, n, keys_, head.d_v, head.V);
      }
    }
  });
}

void RowBlocks::for_each(const std::function<void(const Task&)>& work) const {
  if (n_ == 0) return;
  std::size_t scratch_size = 0;
  for (const kernel::PackedHead& head : packed_) {
    scratch_size = std::max(scratch_size, kernel_.scratch_size(head.d_k, head.d_v, height_));
  }
  std::atomic<Index> next{0};
  const Index blocks = (n_ + height_ - 1) / height_;
  const auto heads = static_cast<Index>(packed_.size());
  on_threads(threads_, [&] {
    const AlignedDoubles scratch(scratch_size);
    for (Index i = next++; i < blocks * heads; i = next++) {
      const auto head = static_cast<std::size_t>(i % heads);
      const Index first = (blocks - 1 - i / heads) * height_;
      work({kernel_, head, packed_[head], first_ + first, std::min(height_, n_ - first), scratch.data()});
    }
  });
}

}  // namespace mha::attention
