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

/// A tile of queries: rows first … first + n − 1, n ≤ kTile. Neither end of what a row sees falls from one
/// row to the next.
struct Tile {
  Index first;
  Index n;
  KeyRange some;  ///< packed keys that some row sees
  KeyRange all;   ///< and those that every row sees; may be empty
  double* Q;
  double* O;
  Softmax* softmax;

  /// The keys of the block from key0 on that some query of the tile may see, and those before them.
  [[nodiscard]] Index keys_seen(Index key0) const { return std::clamp<Index>(some.end - key0, 0, kSteps); }
};

inline Tile tile_at(const PackedHead& head, Index first, Index end, Index number, double* scratch) {
  double* at = scratch + kScoreSize + number * ((head.d_k + head.d_v) * kTile + kSoftmaxSize);
  const Index row = first + number * kTile;
  const Index n = std::min(kTile, end - row);
  const KeyRange lowest = head.range(row);
  const KeyRange highest = head.range(row + n - 1);
  return {row,
          n,
          {lowest.begin, highest.end},
          {highest.begin, lowest.end},
          at + kSoftmaxSize,
          at + kSoftmaxSize + head.d_k * kTile,
          reinterpret_cast<Softmax*>(at)};
}

/// Where each lane's keys begin and end, counted from key0; lanes left over as the last row.
struct LaneRanges {
  HWY_ALIGN double begin[kTile];
  HWY_ALIGN double end[kTile];
};

inline LaneRanges lane_ranges(const PackedHead& head, const Tile& tile, Index key0) {
  LaneRanges lanes;
  for (Index r = 0; r < kTile; ++r) {
    const KeyRange seen = head.range(tile.first + std::min(r, tile.n - 1));
    lanes.begin[r] = static_cast<double>(seen.begin - key0);
    lanes.end[r] = static_cast<double>(seen.end - key0);
  }
  return lanes;
}

/// Whether the ends of what rows see are not one key apart from row to row.
inline bool is_uneven(const PackedHead& head) { return head.position != nullptr; }

/// From q·k to what the softmax takes: the softcap, M, and −∞ where a query does not see a key.
inline void finish_scores(const PackedHead& head, const Tile& tile, Index key0, Index keys, double* x) {
  if (head.softcap > 0.0) limit(head.softcap, keys, x);
  if (head.M.data != nullptr) {
    for (Index r = 0; r < tile.n; ++r) {
      const double* row = head.M.data + (tile.first + r) * head.M.stride;
      for (Index j = 0; j < keys; ++j)
        x[j * kTile + r] += row[head.position == nullptr ? key0 + j : head.position[key0 + j]];
    }
  }
  if (key0 >= tile.all.begin && key0 + keys <= tile.all.end) return;
  if (!is_uneven(head)) {
    mask_above_diagonal(tile.first + head.mask.offset - key0, keys, x);
    mask_before_window(tile.first + head.mask.from - key0, keys, x);
    return;
  }
  const LaneRanges lanes = lane_ranges(head, tile, key0);
  for (Index j = 0; j < keys; ++j) {
    const auto key = static_cast<double>(j);
    for (Index r = 0; r < kTile; ++r) {
      if (key < lanes.begin[r] || key >= lanes.end[r])
        x[j * kTile + r] = -std::numeric_limits<double>::infinity();
    }
  }
}

/// O = shrink · O + Σ_j e_j V_j over the keys of a block, V of `V_keys` keys in all. A value that a query
/// does not see is not touched in its lane: 0 · ∞ would be seen.
inline void add_values(const double* e, const PackedHead& head, const Tile& tile, Index key0, Index keys) {
  const Doubles d;
  const Index all_begin = std::clamp<Index>(tile.all.begin - key0, 0, keys);
  const Index all_end = std::clamp<Index>(tile.all.end - key0, all_begin, keys);
  const bool diagonal = !is_uneven(head) && all_begin == 0;
  LaneRanges lanes;
  if (!diagonal && (all_begin > 0 || all_end < keys)) lanes = lane_ranges(head, tile, key0);
  const auto add = [&](Index column, auto width) HWY_ATTR {
    constexpr int kWidth = decltype(width)::value;
    const double* V_panel = head.V + column * head.keys + key0 * kWidth;
    Sums<kWidth> sums;
    load(tile.O + column * kTile, sums);
    HWY_UNROLL(3)
    for (int v = 0; v < kVectors; ++v) {
      const Lanes shrink = hn::Load(d, tile.softmax->shrink + v * kLanes);
      HWY_UNROLL(8)
      for (int j = 0; j < kWidth; ++j) sums.sum[j][v] = hn::Mul(sums.sum[j][v], shrink);
    }
    if (all_begin > 0) add_products_where_seen(e, V_panel, lanes.begin, lanes.end, 0, all_begin, sums);
    add_products(e + all_begin * kTile, V_panel + all_begin * kWidth, all_end - all_begin, sums);
    if (all_end < keys) {
      const double* e_rest = e + all_end * kTile;
      const double* V_rest = V_panel + all_end * kWidth;
      if (diagonal) {
        const Index below = tile.first + head.mask.offset - key0;
        add_products_on_diagonal(e_rest, V_rest, all_end - below, keys - all_end, sums);
      } else {
        add_products_where_seen(e_rest, V_rest, lanes.begin, lanes.end, all_end, keys - all_end, sums);
      }
    }
    store(sums, tile.O + column * kTile);
  };
  for_each_panel(head.d_v, add);
}

/// x: the scores of the extra key.
inline void extra_scores(const PackedHead& head, const Tile& tile, double* x) {
  scores(tile.Q, head.extra_K, head.d_k, 1, x);
  if (head.softcap > 0.0) limit(head.softcap, 1, x);
}

/// Takes in the extra key, which every query sees, as the first one: O = e · v.
template <bool kValues, bool kEnergy>
inline void take_in_extra(const Exp& exp, const PackedHead& head, const Tile& tile, double* x) {
  extra_scores(head, tile, x);
  take_in<kEnergy>(exp, 1, x, *tile.softmax);
  if constexpr (kValues) {
    for_each_panel(head.d_v, [&](Index column, auto width) {
      for (Index c = column; c < column + width(); ++c) {
        for (Index r = 0; r < kTile; ++r) tile.O[c * kTile + r] = x[r] * head.extra_V[c];
      }
    });
  }
}

/// Runs the rows' tiles over the blocks of keys: block by block, so that a block's panels stay in cache
/// while every tile uses them. Whether A V or the energy is wanted is known when compiling; the energy is
/// that of the keys alone, without a sink.
template <bool kValues, bool kEnergy>
inline void stream(const PackedHead& head, Index first, Index n, double* scratch) {
  const Exp exp(head.score_scale);
  const Index end = first + n;
  double* x = scratch;
  for (Index i = 0; i < tiles_of(n); ++i) {
    const Tile tile = tile_at(head, first, end, i, scratch);
    pack_lanes(head.Q, tile.first, tile.n, head.d_k, head.q_scale, tile.Q);
    start(*tile.softmax, kEnergy ? nullptr : head.sink);
    if constexpr (kValues) std::fill(tile.O, tile.O + head.d_v * kTile, 0.0);
    if (head.extra_K != nullptr) take_in_extra<kValues, kEnergy>(exp, head, tile, x);
  }
  const Index seen = head.range(end - 1).end;
  for (Index key0 = head.range(first).begin / kSteps * kSteps; key0 < seen; key0 += kSteps) {
    for (Index i = 0; i < tiles_of(n); ++i) {
      const Tile tile = tile_at(head, first, end, i, scratch);
      const Index keys = tile.keys_seen(key0);
      if (keys == 0 || key0 + keys <= tile.some.begin) continue;
      scores(tile.Q, head.K + key0 * head.d_k, head.d_k, keys, x);
      finish_scores(head, tile, key0, keys, x);
      take_in<kEnergy>(exp, keys, x, *tile.softmax);
      if constexpr (kValues) add_values(x, head, tile, key0, keys);
    }
  }
}

/// O /= Σ e: a division each, since with a reciprocal a mean of n ones would not always be 1.
inline void output_rows(const PackedHead& head, Index first, Index n, double* scratch, Rows O) {
  stream<true, false>(head, first, n, scratch);
  for (Index i = 0; i < tiles_of(n); ++i) {
    const Tile tile = tile_at(head, first, first + n, i, scratch);
    const Doubles d;
    for (Index lane = 0; lane < kTile; lane += kLanes) {
      double* sum = tile.softmax->sum + lane;
      hn::Store(one_for_zero(hn::Load(d, sum)), d, sum);
    }
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
      const double sum = tile.softmax->sum[r];
      row[0] = sum > 0.0 ? sum : 1.0;
      row[1] = sum > 0.0 ? -scale * tile.softmax->energy[r] / sum : 0.0;
    }
  }
}

/// The weights of a row from where the packed keys are to where all keys are; everything else becomes 0.
inline void spread(const PackedHead& head, KeyRange seen, Index columns, double* row) {
  if (head.position == nullptr) {
    std::fill(row, row + seen.begin, 0.0);
    std::fill(row + seen.end, row + columns, 0.0);
    return;
  }
  Index zeros_to = columns;
  for (Index j = seen.end; j-- > seen.begin;) {  // backwards: no key moves to the left
    const Index to = head.position[j];
    std::fill(row + to + 1, row + zeros_to, 0.0);
    row[to] = row[j];
    zeros_to = to;
  }
  std::fill(row, row + zeros_to, 0.0);
}

inline void weight_rows(const PackedHead& head, Index first, Index n, Index columns, double* scratch,
                        Rows A) {
  const Exp exp(head.score_scale);
  double* x = scratch;
  const bool has_extra = head.extra_K != nullptr;
  for (Index i = 0; i < tiles_of(n); ++i) {
    const Tile tile = tile_at(head, first, first + n, i, scratch);
    const Rows A_tile = {A.data + (tile.first - first) * A.stride, A.stride};
    pack_lanes(head.Q, tile.first, tile.n, head.d_k, head.q_scale, tile.Q);
    double extra[kTile];
    if (has_extra) {
      extra_scores(head, tile, x);
      std::copy(x, x + kTile, extra);
    }
    for (Index key0 = tile.some.begin / kSteps * kSteps; key0 < tile.some.end; key0 += kSteps) {
      const Index keys = tile.keys_seen(key0);
      scores(tile.Q, head.K + key0 * head.d_k, head.d_k, keys, x);
      finish_scores(head, tile, key0, keys, x);
      unpack_lanes(x, tile.n, keys, {A_tile.data + key0, A_tile.stride});
    }
    for (Index r = 0; r < tile.n; ++r) {
      double* row = A_tile.data + r * A_tile.stride;
      const KeyRange seen = head.range(tile.first + r);
      if (has_extra) row[seen.end] = extra[r];  // beside the others for as long as the sum takes
      softmax_of_row(exp, seen.end - seen.begin + (has_extra ? 1 : 0), head.sink, row + seen.begin);
      const double of_extra = has_extra ? row[seen.end] : 0.0;
      spread(head, seen, columns, row);
      if (has_extra) row[columns - 1] = of_extra;
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
