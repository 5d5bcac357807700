#include "attention/row_blocks.h"

#include <algorithm>
#include <atomic>

#include "attention/threads.h"

namespace mha::attention {
namespace {

/// An exponential and what goes with it, in multiply-adds.
constexpr double kExpCost = 20.0;

/// A block's scratch (its queries and outputs) stays below this, to leave room for keys and values in a
/// second-level cache of a megabyte or two.
constexpr std::size_t kMostScratch = 96 * 1024;

constexpr Index kMostTiles = 8;

/// Keys packed at a time.
constexpr Index kPackedKeys = 512;

kernel::ConstRows rows_of(const Matrix& matrix) { return {matrix.data(), matrix.cols()}; }

}  // namespace

int worthwhile_threads(double operations) {
  constexpr double kOperationsPerThread = 1e6;
  const double worth = operations / kOperationsPerThread;
  return worth < 2.0 ? 1 : static_cast<int>(std::min(worth, static_cast<double>(threads())));
}

RowBlocks::RowBlocks(std::span<const HeadInputs> heads, Index first, Index n)
    : kernel_(kernel::chosen()), first_(first), n_(n) {
  double operations = 0.0;
  const double pairs = static_cast<double>(n) * (static_cast<double>(first) + 0.5 * static_cast<double>(n));
  for (const HeadInputs& head : heads) {
    const Index width = head.Q->cols() + (head.V != nullptr ? head.V->cols() : 0);
    operations += pairs * (static_cast<double>(width) + kExpCost);
  }
  threads_ = worthwhile_threads(operations);
  pack(heads);
  choose_height();
}

void RowBlocks::pack(std::span<const HeadInputs> heads) {
  const Index keys = first_ + n_;
  const Index padded = (keys + kernel_.panel - 1) / kernel_.panel * kernel_.panel;
  for (const HeadInputs& head : heads) {
    const Index d_k = head.K->cols();
    const Index d_v = head.V != nullptr ? head.V->cols() : 0;
    const AlignedDoubles& K = memory_.emplace_back(static_cast<std::size_t>(padded * d_k));
    packed_.push_back({rows_of(*head.Q), K.data(), nullptr, keys, d_k, d_v});
    if (d_v == 0) continue;
    packed_.back().V = memory_.emplace_back(static_cast<std::size_t>(keys * d_v)).data();
  }

  std::atomic<Index> next{0};
  const Index parts = (keys + kPackedKeys - 1) / kPackedKeys;
  const Index count = parts * static_cast<Index>(heads.size());
  on_threads(threads_, [&] {
    for (Index i = next++; i < count; i = next++) {
      const auto h = static_cast<std::size_t>(i / parts);
      const Index first = i % parts * kPackedKeys;
      const Index n = std::min(kPackedKeys, keys - first);
      const kernel::PackedHead& head = packed_[h];
      kernel_.pack_keys(rows_of(*heads[h].K), first, n, head.d_k, const_cast<double*>(head.K));
      if (head.d_v > 0) {
        kernel_.pack_values(rows_of(*heads[h].V), first, n, keys, head.d_v, const_cast<double*>(head.V));
      }
    }
  });
}

void RowBlocks::choose_height() {
  // High enough that keys and values are fetched seldom, low enough that every thread gets several.
  constexpr Index kBlocksPerThread = 4;
  Index tiles = n_ * static_cast<Index>(packed_.size()) / (kernel_.tile * kBlocksPerThread * threads_);
  tiles = std::clamp<Index>(tiles, 1, kMostTiles);
  for (const kernel::PackedHead& head : packed_) {
    while (tiles > 1 && kernel_.scratch_size(head.d_k, head.d_v, tiles * kernel_.tile) > kMostScratch) {
      --tiles;
    }
  }
  height_ = tiles * kernel_.tile;
}

void RowBlocks::for_each(const std::function<void(const Task&)>& work) const {
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
      work({head, packed_[head], first_ + first, std::min(height_, n_ - first), scratch.data()});
    }
  });
}

}  // namespace mha::attention
