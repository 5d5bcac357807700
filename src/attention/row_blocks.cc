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

/// Doubles for the packed keys and values of all heads, and for the extra key and value of each.
std::size_t packed_size(std::span<const Head> heads, Wanted wanted, Index keys, Index panel, bool has_extra) {
  Index size = 0;
  for (const Head& head : heads) {
    const Index d_v = values_width(head, wanted);
    size += padded(keys, panel) * head.K->cols() + keys * d_v;
    if (has_extra) size += padded(panel * head.K->cols() + d_v, 8);
  }
  return static_cast<std::size_t>(size);
}

/// The keys before `end` that are tokens; none listed where all are.
std::vector<Index> tokens_before(const Mask& mask, Index end) {
  std::vector<Index> positions;
  for (Index i = 0; mask.tokens_before && i < end; ++i) {
    if (mask.is_token(i)) positions.push_back(i);
  }
  return positions;
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
      first_(first),
      n_(n),
      has_extra_(rules.mask.extra < heads.front().K->rows()),
      positions_(tokens_before(rules.mask, rules.mask.range(first + n - 1, heads.front().K->rows()).end)),
      keys_(rules.mask.tokens_before ? static_cast<Index>(positions_.size())
                                     : rules.mask.range(first + n - 1, heads.front().K->rows()).end),
      memory_(packed_size(heads, wanted, keys_, kernel_.panel, has_extra_)) {
  double operations = 0.0;
  const Index all_keys = heads.front().K->rows();
  const double pairs = 0.5 * static_cast<double>(n_) *
                       static_cast<double>(rules.mask.visible(first_, all_keys) +
                                           rules.mask.visible(first_ + n_ - 1, all_keys));
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
  lay_out(heads);
  pack(heads);
}

void RowBlocks::lay_out(std::span<const Head> heads) {
  double* at = memory_.data();
  for (const Head& head : heads) {
    const Index d_k = head.K->cols();
    const Index d_v = values_width(head, wanted_);
    kernel::PackedHead& packed = packed_.emplace_back();
    packed.Q = rows_of(*head.Q);
    packed.K = at;
    packed.V = at += padded(keys_, kernel_.panel) * d_k;
    at += keys_ * d_v;
    if (has_extra_) {
      packed.extra_K = at;
      packed.extra_V = at + kernel_.panel * d_k;
      at += padded(kernel_.panel * d_k + d_v, 8);
    }
    packed.keys = keys_;
    packed.d_k = d_k;
    packed.d_v = d_v;
    packed.mask = rules_.mask;
    packed.all_keys = head.K->rows() - (has_extra_ ? 1 : 0);
    packed.position = rules_.mask.tokens_before ? positions_.data() : nullptr;
    packed.softcap = rules_.softcap.value_or(0.0);
    if (head.M) packed.M = rows_of(*head.M);
    packed.sink = head.sink ? &*head.sink : nullptr;
    // A scale of its own may be 0 or below, and a sum with M or a sink is of scaled scores: then Q takes the
    // scale, and the exponential none.
    const long double root = std::sqrt(static_cast<long double>(d_k));
    const bool early = rules_.scale || rules_.softcap || head.M || head.sink;
    packed.q_scale = early ? rules_.scale.value_or(static_cast<double>(1.0L / root)) : 1.0;
    packed.score_scale = early ? 1.0L : 1.0L / root;
  }
}

void RowBlocks::pack(std::span<const Head> heads) {
  const bool some = rules_.mask.tokens_before != nullptr;  // a copy of the rows that are packed
  std::vector<Matrix> K_tokens(some ? heads.size() : 0);
  std::vector<Matrix> V_tokens(K_tokens.size());
  for (std::size_t h = 0; h < K_tokens.size(); ++h) {
    K_tokens[h] = (*heads[h].K)(positions_, Eigen::all);
    if (packed_[h].d_v > 0) V_tokens[h] = (*heads[h].V)(positions_, Eigen::all);
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
      kernel_.pack_keys(rows_of(some ? K_tokens[h] : *heads[h].K), first, n, head.d_k, head.K);
      if (head.d_v > 0)
        kernel_.pack_values(rows_of(some ? V_tokens[h] : *heads[h].V), first, n, keys_, head.d_v, head.V);
    }
  });
  for (std::size_t h = 0; has_extra_ && h < heads.size(); ++h) {
    const kernel::PackedHead& head = packed_[h];
    const Index last = head.all_keys;
    kernel_.pack_keys({heads[h].K->data() + last * head.d_k, head.d_k}, 0, 1, head.d_k, head.extra_K);
    if (head.d_v > 0) std::copy_n(heads[h].V->data() + last * head.d_v, head.d_v, head.extra_V);
  }
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
