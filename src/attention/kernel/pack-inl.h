// Layouts: from rows to what the tiles read in order, and back. Included once per instruction set.
#if defined(MHA_ATTENTION_KERNEL_PACK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MHA_ATTENTION_KERNEL_PACK_INL_H_
#undef MHA_ATTENTION_KERNEL_PACK_INL_H_
#else
#define MHA_ATTENTION_KERNEL_PACK_INL_H_
#endif

#include "attention/kernel/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace mha::attention::kernel::HWY_NAMESPACE {

/// A tile of rows, one per lane: lanes[c][r] = factor · M(first + r, c) for r < n, 0 in the lanes left over.
inline void pack_lanes(ConstRows M, Index first, Index n, Index width, double factor,
                       double* HWY_RESTRICT lanes) {
  for (Index r = 0; r < kTile; ++r) {
    const double* row = M.data + (first + r) * M.stride;
    for (Index c = 0; c < width; ++c) lanes[c * kTile + r] = r < n ? factor * row[c] : 0.0;
  }
}

/// And back: Y(r, c) = lanes[c][r] for r < n.
inline void unpack_lanes(const double* HWY_RESTRICT lanes, Index n, Index width, Rows Y) {
  for (Index r = 0; r < n; ++r) {
    double* row = Y.data + r * Y.stride;
    for (Index c = 0; c < width; ++c) row[c] = lanes[c * kTile + r];
  }
}

/// Panels of kPanel keys: panels[key / kPanel][c][key % kPanel] = K(key, c), the last one filled up with 0.
inline void pack_keys(ConstRows K, Index first, Index n, Index d_k, double* HWY_RESTRICT panels) {
  for (Index key = first; key < first + n; key += kPanel) {
    double* panel = panels + key * d_k;
    const Index present = std::min<Index>(kPanel, first + n - key);
    for (Index j = 0; j < kPanel; ++j) {
      const double* row = K.data + (key + j) * K.stride;
      for (Index c = 0; c < d_k; ++c) panel[c * kPanel + j] = j < present ? row[c] : 0.0;
    }
  }
}

/// Panels of columns, one after the other: panel[key][column] = V(key, first column + column).
inline void pack_values(ConstRows V, Index first, Index n, Index keys, Index d_v,
                        double* HWY_RESTRICT panels) {
  for (Index key = first; key < first + n; ++key) {
    const double* row = V.data + key * V.stride;
    for_each_panel(d_v, [&](Index column, auto width) {
      double* to = panels + column * keys + key * width();
      for (int j = 0; j < width(); ++j) to[j] = row[column + j];
    });
  }
}

}  // namespace mha::attention::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
