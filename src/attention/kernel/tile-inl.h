// The register tile. Included once per instruction set.
#if defined(MHA_ATTENTION_KERNEL_TILE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MHA_ATTENTION_KERNEL_TILE_INL_H_
#undef MHA_ATTENTION_KERNEL_TILE_INL_H_
#else
#define MHA_ATTENTION_KERNEL_TILE_INL_H_
#endif

#include <algorithm>
#include <type_traits>

#include "attention/kernel/exp2-inl.h"
#include "attention/kernel/kernel.h"

HWY_BEFORE_NAMESPACE();
namespace mha::attention::kernel::HWY_NAMESPACE {

inline constexpr Index kLanes = static_cast<Index>(HWY_LANES(double));
inline constexpr int kVectors = 3;                  ///< vectors of queries in a tile
inline constexpr Index kTile = kVectors * kLanes;   ///< queries in a tile
inline constexpr int kPanel = kLanes == 8 ? 8 : 4;  ///< AVX-512 has 32 registers, the others 16
inline constexpr Index kSteps = 128;                ///< keys in a block; depth of a product in one go

/// kVectors × kCount sums in registers: sum[j][v] belongs to scalar j and the queries of vector v.
template <int kCount>
struct Sums {
  Lanes sum[kCount][kVectors];
};

template <int kCount>
HWY_INLINE void clear(Sums<kCount>& sums) {
  HWY_UNROLL(8)
  for (int j = 0; j < kCount; ++j) {
    for (int v = 0; v < kVectors; ++v) sums.sum[j][v] = hn::Zero(Doubles());
  }
}

template <int kCount>
HWY_INLINE void load(const double* from, Sums<kCount>& sums) {
  HWY_UNROLL(8)
  for (int j = 0; j < kCount; ++j) {
    for (int v = 0; v < kVectors; ++v) sums.sum[j][v] = hn::Load(Doubles(), from + j * kTile + v * kLanes);
  }
}

template <int kCount>
HWY_INLINE void store(const Sums<kCount>& sums, double* to) {
  HWY_UNROLL(8)
  for (int j = 0; j < kCount; ++j) {
    for (int v = 0; v < kVectors; ++v) hn::Store(sums.sum[j][v], Doubles(), to + j * kTile + v * kLanes);
  }
}

/// sum[j][query] += Σ_i scalars[i][j] · lanes[i][query], i rising: the inner loop of both products. In the
/// scores i runs over d_k and j over keys, in A V and in the projection i runs over keys and j over columns.
template <int kCount>
HWY_INLINE void add_products(const double* HWY_RESTRICT lanes, const double* HWY_RESTRICT scalars,
                             Index steps, Sums<kCount>& sums) {
  const Doubles d;
  for (Index i = 0; i < steps; ++i) {
    const Lanes x0 = hn::Load(d, lanes);
    const Lanes x1 = hn::Load(d, lanes + kLanes);
    const Lanes x2 = hn::Load(d, lanes + 2 * kLanes);
    HWY_UNROLL(8)
    for (int j = 0; j < kCount; ++j) {
      const Lanes y = hn::Set(d, scalars[j]);
      sums.sum[j][0] = hn::MulAdd(y, x0, sums.sum[j][0]);
      sums.sum[j][1] = hn::MulAdd(y, x1, sums.sum[j][1]);
      sums.sum[j][2] = hn::MulAdd(y, x2, sums.sum[j][2]);
    }
    lanes += kTile;
    scalars += kCount;
  }
}

/// The same where step i counts only in the lanes from first_lane + i on: the causal diagonal. Adding 0 · v
/// in the others would let an infinite v of a key that they may not see through.
template <int kCount>
HWY_INLINE void add_products_on_diagonal(const double* HWY_RESTRICT lanes, const double* HWY_RESTRICT scalars,
                                         Index first_lane, Index steps, Sums<kCount>& sums) {
  const Doubles d;
  for (Index i = 0; i < steps; ++i) {
    const Lanes from = hn::Set(d, static_cast<double>(first_lane + i));
    HWY_UNROLL(3)
    for (int v = 0; v < kVectors; ++v) {
      const auto seen = hn::Ge(hn::Iota(d, static_cast<double>(v * kLanes)), from);
      const Lanes x = hn::Load(d, lanes + v * kLanes);
      HWY_UNROLL(8)
      for (int j = 0; j < kCount; ++j) {
        const Lanes sum = hn::MulAdd(hn::Set(d, scalars[j]), x, sums.sum[j][v]);
        sums.sum[j][v] = hn::IfThenElse(seen, sum, sums.sum[j][v]);
      }
    }
    lanes += kTile;
    scalars += kCount;
  }
}

/// The same where step i counts only in the lanes with begins[lane] ≤ i < ends[lane].
template <int kCount>
HWY_INLINE void add_products_where_seen(const double* HWY_RESTRICT lanes, const double* HWY_RESTRICT scalars,
                                        const double* begins, const double* ends, Index first, Index steps,
                                        Sums<kCount>& sums) {
  const Doubles d;
  for (Index i = 0; i < steps; ++i) {
    const Lanes at = hn::Set(d, static_cast<double>(first + i));
    for (int v = 0; v < kVectors; ++v) {
      const auto seen =
          hn::And(hn::Ge(at, hn::Load(d, begins + v * kLanes)), hn::Lt(at, hn::Load(d, ends + v * kLanes)));
      const Lanes x = hn::Load(d, lanes + v * kLanes);
      HWY_UNROLL(8)
      for (int j = 0; j < kCount; ++j) {
        const Lanes sum = hn::MulAdd(hn::Set(d, scalars[j]), x, sums.sum[j][v]);
        sums.sum[j][v] = hn::IfThenElse(seen, sum, sums.sum[j][v]);
      }
    }
    lanes += kTile;
    scalars += kCount;
  }
}

/// Calls visit(first column, width as a constant) for the panels that `columns` columns are cut into: as
/// many of kPanel as there are, then one of each lower power of two that is left.
template <int kWidth = kPanel, typename Visit>
HWY_INLINE void for_each_panel(Index columns, const Visit& visit, Index column = 0) {
  for (; columns - column >= kWidth; column += kWidth) {
    visit(column, std::integral_constant<int, kWidth>());
  }
  if constexpr (kWidth > 1) for_each_panel<kWidth / 2>(columns, visit, column);
}

}  // namespace mha::attention::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
