// What the kernel does for a block of rows. Included once per instruction set.
#if defined(MHA_ATTENTION_KERNEL_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MHA_ATTENTION_KERNEL_ROWS_INL_H_
#undef MHA_ATTENTION_KERNEL_ROWS_INL_H_
#else
#define MHA_ATTENTION_KERNEL_ROWS_INL_H_
#endif

#include "attention/kernel/pack-inl.h"
#include "attention/kernel/softmax-inl.h"

HWY_BEFORE_NAMESPACE();
namespace mha::attention::kernel::HWY_NAMESPACE {

inline constexpr Index kScoreSize = kSteps * kTile;
inline constexpr Index kSoftmaxSize = static_cast<Index>(sizeof(Softmax) / sizeof(double));

inline Index tiles_of(Index rows) { return (rows + kTile - 1) / kTile; }

/// One block of scores, and for each tile its queries, its sums of A V and its softmax.
inline std::size_t scratch_size(Index d_k, Index d_v, Index rows) {
  return static_cast<std::size_t>(kScoreSize + tiles_of(rows) * ((d_k + d_v) * kTile + kSoftmaxSize));
}

/// A tile of queries: rows first … first + n − 1, n ≤ kTile.
struct Tile {
  Index first;
  Index n;
  Index position;  ///< of the first row: the last key that it sees, were there enough of them
  Index seen;      ///< keys that some row sees
  double* Q;
  double* O;
  Softmax* softmax;

  /// The keys of the block from key0 on that some query of the tile may see.
  [[nodiscard]] Index keys_seen(Index key0) const { return std::clamp<Index>(seen - key0, 0, kSteps); }
};

inline Tile tile_at(const PackedHead& head, Index first, Index end, Index number, double* scratch) {
  double* at = scratch + kScoreSize + number * ((head.d_k + head.d_v) * kTile + kSoftmaxSize);
  const Index row = first + number * kTile;
  const Index n = std::min(kTile, end - row);
  return {row,
          n,
          row + head.mask.offset,
          head.mask.visible(row + n - 1, head.keys),
          at + kSoftmaxSize,
          at + kSoftmaxSize + head.d_k * kTile,
          reinterpret_cast<Softmax*>(at)};
}

/// O = shrink · O + Σ_j e_j V_j over the keys of a block. `below` keys are seen by every lane, the rest lie
/// on the diagonal.
inline void add_values(const double* e, const PackedHead& head, Index key0, Index below, Index keys,
                       const Softmax& softmax, double* O) {
  const Doubles d;
  const Index full = std::clamp<Index>(below + 1, 0, keys);
  const auto add = [&](Index column, auto width) HWY_ATTR {
    constexpr int kWidth = decltype(width)::value;
    const double* V_panel = head.V + column * head.keys + key0 * kWidth;
    Sums<kWidth> sums;
    load(O + column * kTile, sums);
    HWY_UNROLL(3)
    for (int v = 0; v < kVectors; ++v) {
      const Lanes shrink = hn::Load(d, softmax.shrink + v * kLanes);
      HWY_UNROLL(8)
      for (int j = 0; j < kWidth; ++j) sums.sum[j][v] = hn::Mul(sums.sum[j][v], shrink);
    }
    add_products(e, V_panel, full, sums);
    if (full < keys) {
      add_products_on_diagonal(e + full * kTile, V_panel + full * kWidth, full - below, keys - full, sums);
    }
    store(sums, O + column * kTile);
  };
  for_each_panel(head.d_v, add);
}

/// Runs the rows' tiles over the blocks of keys: block by block, so that a block's panels stay in cache
/// while every tile uses them. Whether A V or the energy is wanted is known when compiling.
template <bool kValues, bool kEnergy>
inline void stream(const PackedHead& head, Index first, Index n, double* scratch) {
  const Exp exp(head.score_scale);
  const Index end = first + n;
  for (Index i = 0; i < tiles_of(n); ++i) {
    const Tile tile = tile_at(head, first, end, i, scratch);
    pack_lanes(head.Q, tile.first, tile.n, head.d_k, head.q_scale, tile.Q);
    start(*tile.softmax);
    if constexpr (kValues) std::fill(tile.O, tile.O + head.d_v * kTile, 0.0);
  }
  double* x = scratch;
  const Index seen = head.mask.visible(end - 1, head.keys);
  for (Index key0 = 0; key0 < seen; key0 += kSteps) {
    for (Index i = 0; i < tiles_of(n); ++i) {
      const Tile tile = tile_at(head, first, end, i, scratch);
      const Index keys = tile.keys_seen(key0);
      if (keys == 0) continue;
      const Index below = tile.position - key0;
      scores(tile.Q, head.K + key0 * head.d_k, head.d_k, keys, x);
      mask_above_diagonal(below, keys, x);
      take_in<kEnergy>(exp, keys, x, *tile.softmax);
      if constexpr (kValues) add_values(x, head, key0, below, keys, *tile.softmax, tile.O);
    }
  }
}

/// O /= Σ e: a division each, since with a reciprocal a mean of n ones would not always be 1.
inline void output_rows(const PackedHead& head, Index first, Index n, double* scratch, Rows O) {
  stream<true, false>(head, first, n, scratch);
  for (Index i = 0; i < tiles_of(n); ++i) {
    const Tile tile = tile_at(head, first, first + n, i, scratch);
    const Doubles d;
    for (Index c = 0; c < head.d_v; ++c) {
      for (Index lane = 0; lane < kTile; lane += kLanes) {
        double* at = tile.O + c * kTile + lane;
        hn::Store(hn::Div(hn::Load(d, at), hn::Load(d, tile.softmax->sum + lane)), d, at);
      }
    }
    unpack_lanes(tile.O, tile.n, head.d_v, {O.data + (tile.first - first) * O.stride, O.stride});
  }
}

inline void partition_rows(const PackedHead& head, Index first, Index n, double* scratch, Rows Z_E) {
  stream<false, true>(head, first, n, scratch);
  const auto scale = static_cast<double>(head.score_scale);
  for (Index i = 0; i < tiles_of(n); ++i) {
    const Tile tile = tile_at(head, first, first + n, i, scratch);
    for (Index r = 0; r < tile.n; ++r) {
      double* row = Z_E.data + (tile.first - first + r) * Z_E.stride;
      row[0] = tile.softmax->sum[r];
      row[1] = -scale * tile.softmax->energy[r] / tile.softmax->sum[r];
    }
  }
}

inline void weight_rows(const PackedHead& head, Index first, Index n, Index columns, double* scratch,
                        Rows A) {
  const Exp exp(head.score_scale);
  double* x = scratch;
  for (Index i = 0; i < tiles_of(n); ++i) {
    const Tile tile = tile_at(head, first, first + n, i, scratch);
    const Rows A_tile = {A.data + (tile.first - first) * A.stride, A.stride};
    pack_lanes(head.Q, tile.first, tile.n, head.d_k, head.q_scale, tile.Q);
    for (Index key0 = 0; key0 < tile.seen; key0 += kSteps) {
      const Index keys = tile.keys_seen(key0);
      scores(tile.Q, head.K + key0 * head.d_k, head.d_k, keys, x);
      unpack_lanes(x, tile.n, keys, {A_tile.data + key0, A_tile.stride});
    }
    for (Index r = 0; r < tile.n; ++r) {
      double* row = A_tile.data + r * A_tile.stride;
      const Index seen = head.mask.visible(tile.first + r, head.keys);
      softmax_of_row(exp, seen, row);
      std::fill(row + seen, row + columns, 0.0);
    }
  }
}

inline void product_rows(ConstRows X, Index n, Index depth, const double* W, Index width, double* scratch,
                         Rows Y) {
  double* X_lanes = scratch;
  double* Y_lanes = scratch + depth * kTile;
  for (Index row = 0; row < n; row += kTile) {
    const Index present = std::min(kTile, n - row);
    pack_lanes(X, row, present, depth, 1.0, X_lanes);
    for_each_panel(width, [&](Index column, auto panel) HWY_ATTR {
      Sums<decltype(panel)::value> sums;
      clear(sums);
      add_products(X_lanes, W + column * depth, depth, sums);
      store(sums, Y_lanes + column * kTile);
    });
    unpack_lanes(Y_lanes, present, width, {Y.data + row * Y.stride, Y.stride});
  }
}

/// All of it, by the name of the instruction set.
inline constexpr Kernel kKernel = {HWY_TARGET == HWY_AVX3   ? "AVX-512"
                                   : HWY_TARGET == HWY_AVX2 ? "AVX2"
                                   : HWY_TARGET == HWY_SSE4 ? "SSE4"
                                                            : "scalar",
                                   kTile,
                                   kPanel,
                                   &scratch_size,
                                   &pack_keys,
                                   &pack_values,
                                   &output_rows,
                                   &weight_rows,
                                   &partition_rows,
                                   &product_rows};

}  // namespace mha::attention::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
