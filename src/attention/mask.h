#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "attention/index.h"

namespace mha::attention {

/// Keys begin … end − 1.
struct KeyRange {
  Index begin;
  Index end;
};

/// Which keys a query may see: query t (0-based) the keys t + from … t + offset, as far as there are any. A
/// query without a key has a row of zeros for weights.
///
/// With as many queries as keys there is one causal mask, offset 0. Where T_q ≠ T_k libraries differ: offset
/// 0 lines the triangle up with the top-left corner, T_k − T_q with the bottom-right one, so that the last
/// query sees every key, as it must when earlier keys come from a cache. A window of the last N keys is
/// from = offset − N + 1.
struct Mask {
  static constexpr Index kFar = Index{1} << 62;

  Index offset = 0;
  Index from = -kFar;
  Index length = kFar;  ///< keys from there on are empty slots of a cache
  Index extra = kFar;   ///< the last key, where every query sees it: a bias key
  /// How many of the keys before key 0, 1, …, T_k are tokens and no padding; null if all are.
  std::shared_ptr<const std::vector<Index>> tokens_before = {};

  /// Whether query t sees key i.
  [[nodiscard]] bool sees(Index t, Index i) const {
    if (i == extra) return true;
    return i >= t + from && i <= t + offset && i < length && is_token(i);
  }

  /// Of `keys` keys those that query t sees, but for padding among them and the extra one.
  [[nodiscard]] KeyRange range(Index t, Index keys) const {
    const Index end = std::min({keys, length, extra});
    return {std::clamp<Index>(t + from, 0, end), std::clamp<Index>(t + offset + 1, 0, end)};
  }

  /// How many of `keys` keys query t sees.
  [[nodiscard]] Index visible(Index t, Index keys) const {
    const auto [begin, end] = range(t, keys);
    const Index more = extra < keys ? 1 : 0;
    if (begin >= end) return more;
    return more + (tokens_before ? before(end) - before(begin) : end - begin);
  }

  /// Whether position i is a token and no padding.
  [[nodiscard]] bool is_token(Index i) const { return !tokens_before || before(i + 1) > before(i); }

  [[nodiscard]] bool is_causal() const { return offset < kFar / 2; }

  bool operator==(const Mask&) const = default;

  static const Mask kCausal;  ///< every query sees the keys up to its own position
  static const Mask kNone;    ///< every query sees every key

 private:
  [[nodiscard]] Index before(Index i) const { return (*tokens_before)[static_cast<std::size_t>(i)]; }
};
inline const Mask Mask::kCausal{};
inline const Mask Mask::kNone{.offset = Mask::kFar};

/// What makes weights of the scores Q Kᵀ, the same for every head of a layer.
struct Rules {
  Rules() = default;
  Rules(Mask m, std::optional<double> s = {}) : mask(std::move(m)), scale(s) {}

  Mask mask = {};
  std::optional<double> scale = {};    ///< what the scores are multiplied by, instead of 1/√d_k
  std::optional<double> softcap = {};  ///< C > 0: then they become C · tanh(score / C)
};

}  // namespace mha::attention
