#pragma once

#include <algorithm>
#include <optional>

#include "attention/index.h"

namespace mha::attention {

/// Which keys a query may see: query t (0-based) the keys 0 … t + offset, as far as there are any. A query
/// with no such key has a row of zeros for weights.
///
/// With as many queries as keys there is one causal mask, offset 0. Where T_q ≠ T_k libraries differ: offset
/// 0 lines the triangle up with the top-left corner, T_k − T_q with the bottom-right one, so that the last
/// query sees every key, as it must when earlier keys come from a cache.
struct Mask {
  Index offset = 0;

  /// How many of `keys` keys query t sees: the first ones.
  [[nodiscard]] Index visible(Index t, Index keys) const {
    return std::clamp<Index>(t + 1 + offset, 0, keys);
  }

  /// Whether query t sees key i.
  [[nodiscard]] bool sees(Index t, Index i) const { return i <= t + offset; }

  /// How many of the n queries from `first` on see no key: the first ones.
  [[nodiscard]] Index without_keys(Index first, Index n) const {
    return std::clamp<Index>(-offset - first, 0, n);
  }

  bool operator==(const Mask&) const = default;

  static const Mask kCausal;  ///< every query sees the keys up to its own position
  static const Mask kNone;    ///< every query sees every key
};
inline constexpr Mask Mask::kCausal{0};
inline constexpr Mask Mask::kNone{Index{1} << 62};

/// What makes weights of the scores Q Kᵀ, the same for every head of a layer.
struct Rules {
  Rules() = default;
  Rules(Mask m, std::optional<double> s = {}) : mask(m), scale(s) {}

  Mask mask = {};
  std::optional<double> scale = {};  ///< what the scores are multiplied by, instead of 1/√d_k
};

}  // namespace mha::attention
