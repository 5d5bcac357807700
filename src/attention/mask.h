#pragma once

#include <algorithm>

#include "attention/matrix.h"

namespace mha::attention {

/// Which keys a query may see: query t (0-based) the keys 0 … t + diagonal, as far as there are any. A
/// query with no such key has a row of zeros for weights.
///
/// With as many queries as keys there is one causal mask, diagonal 0. Where T_q ≠ T_k libraries differ:
/// diagonal 0 lines the triangle up with the top-left corner, T_k − T_q with the bottom-right one, so that
/// the last query sees every key, as it must when earlier keys come from a cache.
struct Mask {
  Index diagonal = 0;

  /// How many of `keys` keys query t sees: the first ones.
  [[nodiscard]] Index seen(Index t, Index keys) const { return std::clamp<Index>(t + 1 + diagonal, 0, keys); }

  /// How many of the n queries from `first` on see no key: the first ones.
  [[nodiscard]] Index blind(Index first, Index n) const { return std::clamp<Index>(-diagonal - first, 0, n); }

  static const Mask kCausal;  ///< every query sees the keys up to its own position
  static const Mask kNone;    ///< every query sees every key
};
inline constexpr Mask Mask::kCausal{0};
inline constexpr Mask Mask::kNone{Index{1} << 62};

}  // namespace mha::attention
