#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "attention/mask.h"
#include "attention/matrix.h"

/// The one kernel behind every command, compiled once for each instruction set and chosen when the
/// program runs.
///
/// A lane is a query: a tile holds a few vectors' worth of neighbouring queries side by side, and every
/// step (scores, softmax, A V) is the same operation in each lane, keys in rising order. What a row comes
/// to therefore depends neither on the block it was asked for in, nor on the thread that computed it, nor
/// on the width of the vectors. The other layout, keys in the lanes, needs horizontal sums, which depend on
/// that width; rows of weights that are written out are normalised in it (softmax_of_row), a whole row at a
/// time, so that those depend on the vectors, but not on block or thread.
///
/// Keys come in blocks that start at multiples of a fixed number. For each block a tile keeps its softmax
/// up to date, so that no row of weights is ever held (Milakov & Gimelshein 2018, "Online normalizer
/// calculation for softmax"; Rabe & Staats 2021; Dao et al. 2022, "FlashAttention").
namespace mha::attention::kernel {

/// Rows of a matrix: entry (r, c) is data[r · stride + c].
struct ConstRows {
  const double* data;
  Index stride;
};
struct Rows {
  double* data;
  Index stride;
};

/// A head laid out for the tiles. Q is read where it is; K and V are packed (pack_keys, pack_values), without
/// the keys that are padding, and the extra key by itself.
struct PackedHead {
  ConstRows Q;
  double* K;   ///< panels of `panel` keys; null where there is none
  double* V;   ///< panels of `panel` columns; null where there is none
  Index keys;  ///< how many were packed
  Index d_k;
  Index d_v;
  double q_scale;           ///< what Q is multiplied by
  long double score_scale;  ///< and what the scores are then, above 0: the weights are softmax(score_scale ·
                            ///< q_scale · Q Kᵀ). 1 where there is a softcap, M or a sink
  Mask mask = {};
  Index all_keys = 0;               ///< that there are, packed or not
  const Index* position = nullptr;  ///< of packed key 0, 1, … among all; null where all are packed
  double* extra_K = nullptr;        ///< the extra key and its value, packed; null where there is none
  double* extra_V = nullptr;
  double softcap = 0.0;          ///< 0 for none
  ConstRows M = {nullptr, 0};    ///< T_q × all keys, added to the scores; null for none
  const double* sink = nullptr;  ///< a logit; null for none

  /// The packed keys that query t sees.
  [[nodiscard]] KeyRange range(Index t) const {
    KeyRange seen = mask.range(t, all_keys);
    if (position != nullptr) {
      const std::vector<Index>& before = *mask.tokens_before;
      seen = {before[static_cast<std::size_t>(seen.begin)], before[static_cast<std::size_t>(seen.end)]};
    }
    seen.end = std::min(seen.end, keys);
    return {std::min(seen.begin, seen.end), seen.end};
  }
};

/// What one instruction set brings. `scratch` is scratch_size() doubles, 64-byte aligned, one thread's own.
struct Kernel {
  const char* name;
  Index tile;   ///< queries in a tile
  Index panel;  ///< keys in a panel of K, columns in a panel of V

  /// Doubles of scratch that rows of a head (or of a product of depth d_k, width d_v) need, for blocks of
  /// up to `rows` rows.
  std::size_t (*scratch_size)(Index d_k, Index d_v, Index rows);

  /// Packs keys first … first + n − 1 (first a multiple of `panel`) of K. The panels take
  /// round-up(keys, panel) · d_k doubles in all.
  void (*pack_keys)(ConstRows K, Index first, Index n, Index d_k, double* panels);
  /// Packs rows first … first + n − 1 of V, of `keys` rows altogether, into keys · d_v doubles.
  void (*pack_values)(ConstRows V, Index first, Index n, Index keys, Index d_v, double* panels);

  /// O (n × d_v): the rows first … first + n − 1 of softmax(s Q Kᵀ + M) V, s being the two scales. A row that
  /// sees no key is zero.
  void (*output_rows)(const PackedHead& head, Index first, Index n, double* scratch, Rows O);
  /// A (n × columns): the rows first … of softmax(s Q Kᵀ + M), as many columns as they see or more.
  void (*weight_rows)(const PackedHead& head, Index first, Index n, Index columns, double* scratch, Rows A);
  /// Z_E (n × 2): for the rows first … what causal_attention.h calls row_partition.
  void (*partition_rows)(const PackedHead& head, Index first, Index n, double* scratch, Rows Z_E);
  /// Y (n × width) = X (n × depth) · W, W packed by pack_values as depth rows of `width` columns.
  void (*product_rows)(ConstRows X, Index n, Index depth, const double* W, Index width, double* scratch,
                       Rows Y);
};

/// The kernels that were compiled and that this processor can run, the best first.
std::span<const Kernel* const> kernels();

/// The kernel in use: the best, unless `use` named another.
const Kernel& chosen();

/// For tests and benchmarks: makes `kernel` the one in use; null goes back to the best.
void use(const Kernel* kernel);

}  // namespace mha::attention::kernel
