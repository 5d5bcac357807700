// The softmax of a tile, kept up to date as blocks of keys arrive. Included once per instruction set.
#if defined(MHA_ATTENTION_KERNEL_SOFTMAX_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MHA_ATTENTION_KERNEL_SOFTMAX_INL_H_
#undef MHA_ATTENTION_KERNEL_SOFTMAX_INL_H_
#else
#define MHA_ATTENTION_KERNEL_SOFTMAX_INL_H_
#endif

#include <cmath>
#include <limits>

#include "attention/kernel/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace mha::attention::kernel::HWY_NAMESPACE {

/// What the keys seen so far come to, for each query of a tile; x_i = q·k_i, unscaled.
struct Softmax {
  HWY_ALIGN double largest[kTile];  ///< m = max x_i
  HWY_ALIGN double sum[kTile];      ///< Σ e^(s (x_i − m))
  HWY_ALIGN double energy[kTile];   ///< Σ (x_i − m) e^(s (x_i − m)), where it is asked for
  HWY_ALIGN double shrink[kTile];   ///< what earlier sums were multiplied by when m last rose
};

/// A sum to divide by: 1 where nothing was summed, so that a row that sees no key is zero.
HWY_INLINE Lanes one_for_zero(Lanes sum) {
  const Doubles d;
  return hn::IfThenElse(hn::Eq(sum, hn::Zero(d)), hn::Set(d, 1.0), sum);
}

/// Before any key: nothing, or a sink alone. The largest score is a finite one even where there is none yet,
/// so that −∞ less it is no NaN.
inline void start(Softmax& softmax, const double* sink) {
  for (Index r = 0; r < kTile; ++r) {
    softmax.largest[r] = sink != nullptr ? *sink : std::numeric_limits<double>::lowest();
    softmax.sum[r] = sink != nullptr ? 1.0 : 0.0;
    softmax.energy[r] = 0.0;
  }
}

/// scores[j][query] for the keys of a block: x = Q Kᵀ, a panel of keys at a time. Long queries are taken in
/// parts, so that a tile's part stays in the nearest cache.
inline void scores(const double* Q_lanes, const double* K_panels, Index d_k, Index keys, double* x) {
  for (Index c = 0; c < d_k; c += kSteps) {
    const Index steps = std::min(kSteps, d_k - c);
    for (Index j = 0; j < keys; j += kPanel) {
      Sums<kPanel> sums;
      if (c == 0) {
        clear(sums);
      } else {
        load(x + j * kTile, sums);
      }
      add_products(Q_lanes + c * kTile, K_panels + j * d_k + c * kPanel, steps, sums);
      store(sums, x + j * kTile);
    }
  }
}

/// x = −∞ in the lanes that may not see the key: key j is seen from lane j − below on.
inline void mask_above_diagonal(Index below, Index keys, double* x) {
  for (Index j = std::max<Index>(below, 0); j < keys; ++j) {
    const Index unseen = std::min(j - below, kTile);
    std::fill(x + j * kTile, x + j * kTile + unseen, -std::numeric_limits<double>::infinity());
  }
}

/// The same of the keys before a window: key j is seen up to lane j − from.
inline void mask_before_window(Index from, Index keys, double* x) {
  for (Index j = 0; j < std::min(keys, from + kTile - 1); ++j) {
    const Index seen = std::max<Index>(j - from + 1, 0);
    std::fill(x + j * kTile + seen, x + (j + 1) * kTile, -std::numeric_limits<double>::infinity());
  }
}

/// x = cap · tanh(x / cap).
inline void limit(double cap, Index keys, double* x) {
  for (Index i = 0; i < keys * kTile; ++i) x[i] = cap * std::tanh(x[i] / cap);
}

/// Takes in a block of keys: x becomes e = e^(s (x − m)) with the new m, s being the scale, and
///
///   m' = max(m, max x),  shrink = e^(s (m − m')),  sum' = shrink · sum + Σ e.
///
/// The block's own sum is made first: that keeps the rounding of a long row down. With kEnergy also
///
///   energy' = shrink · (energy + (m − m') sum) + Σ (x − m') e.
template <bool kEnergy>
inline void take_in(const Exp& exp, Index keys, double* HWY_RESTRICT x, Softmax& softmax) {
  const Doubles d;
  Lanes m[kVectors];
  Lanes sum[kVectors];
  Lanes energy[kVectors];
  for (int v = 0; v < kVectors; ++v) {
    m[v] = hn::Load(d, softmax.largest + v * kLanes);
    sum[v] = energy[v] = hn::Zero(d);
  }
  for (Index j = 0; j < keys; ++j) {
    HWY_UNROLL(3)
    for (int v = 0; v < kVectors; ++v) m[v] = hn::Max(m[v], hn::Load(d, x + j * kTile + v * kLanes));
  }
  for (Index j = 0; j < keys; ++j) {
    HWY_UNROLL(3)
    for (int v = 0; v < kVectors; ++v) {
      double* at = x + j * kTile + v * kLanes;
      const Lanes below = exp.clamp(hn::Sub(hn::Load(d, at), m[v]));
      const Lanes e = exp(below);
      hn::Store(e, d, at);
      sum[v] = hn::Add(sum[v], e);
      if constexpr (kEnergy) energy[v] = hn::MulAdd(below, e, energy[v]);
    }
  }
  for (int v = 0; v < kVectors; ++v) {
    const Index lane = v * kLanes;
    const Lanes fall = exp.clamp(hn::Sub(hn::Load(d, softmax.largest + lane), m[v]));
    const Lanes shrink = exp(fall);
    const Lanes old_sum = hn::Load(d, softmax.sum + lane);
    if constexpr (kEnergy) {
      const Lanes old_energy = hn::MulAdd(fall, old_sum, hn::Load(d, softmax.energy + lane));
      hn::Store(hn::MulAdd(shrink, old_energy, energy[v]), d, softmax.energy + lane);
    }
    hn::Store(hn::MulAdd(shrink, old_sum, sum[v]), d, softmax.sum + lane);
    hn::Store(m[v], d, softmax.largest + lane);
    hn::Store(shrink, d, softmax.shrink + lane);
  }
}

/// p_i = e^(s (x_i − max x)) / Σ_j e^(s (x_j − max x)) of one row of n scores, in place; a sink, if there is
/// one, belongs to the maximum and to the sum. All 0 where no score is above −∞.
inline void softmax_of_row(const Exp& exp, Index n, const double* sink, double* x) {
  const Doubles d;
  const Index whole = n - n % kLanes;
  // The last, shorter vector, filled up with keys that no one sees.
  HWY_ALIGN double rest[kLanes];
  std::fill(std::copy(x + whole, x + n, rest), rest + kLanes, -std::numeric_limits<double>::infinity());

  Lanes m =
      hn::Max(hn::Load(d, rest), hn::Set(d, sink != nullptr ? *sink : std::numeric_limits<double>::lowest()));
  for (Index i = 0; i < whole; i += kLanes) m = hn::Max(m, hn::LoadU(d, x + i));
  const Lanes largest = hn::MaxOfLanes(d, m);

  Lanes sum = hn::Zero(d);
  for (Index i = 0; i < whole; i += kLanes) {
    const Lanes e = exp(exp.clamp(hn::Sub(hn::LoadU(d, x + i), largest)));
    hn::StoreU(e, d, x + i);
    sum = hn::Add(sum, e);
  }
  const Lanes last = exp(exp.clamp(hn::Sub(hn::Load(d, rest), largest)));
  Lanes total = hn::SumOfLanes(d, hn::Add(sum, last));
  if (sink != nullptr) total = hn::Add(total, exp(exp.clamp(hn::Sub(hn::Set(d, *sink), largest))));
  total = one_for_zero(total);

  // A division each: a reciprocal would round twice.
  for (Index i = 0; i < whole; i += kLanes) hn::StoreU(hn::Div(hn::LoadU(d, x + i), total), d, x + i);
  hn::Store(hn::Div(last, total), d, rest);
  std::copy(rest, rest + (n - whole), x + whole);
}

}  // namespace mha::attention::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
