#pragma once

#include "render/color_maps.h"
#include "report/figure.h"

namespace mha::render {

/// Which colour a value has, and from where to where the colour bar goes.
class ColorScale {
 public:
  /// For values from `least` to `largest`, both finite. A weight scale goes from 0 to 1 whatever they
  /// are. A signed one is symmetric about 0 if they have both signs; if they have one, the other half is
  /// left out, which makes it a sequential scale that still begins at the neutral 0. Where all are 0 it
  /// is that one value.
  ColorScale(report::Scale kind, double least, double largest);

  [[nodiscard]] Rgb color(double value) const;
  /// The same in colours of xterm's 256.
  [[nodiscard]] Rgb color_of_256(double value) const;
  [[nodiscard]] double low() const { return low_; }
  [[nodiscard]] double high() const { return high_; }

  /// How far from 0 a value is, as a part of the farthest that the scale goes: 0 to 1, with no sign.
  [[nodiscard]] double strength(double value) const;

  /// The value at `fraction` (0 to 1) of the colour bar.
  [[nodiscard]] double at(double fraction) const { return low_ * (1.0 - fraction) + high_ * fraction; }

  bool operator==(const ColorScale&) const = default;

 private:
  report::Scale kind_;
  double low_;
  double high_;
  double farthest_;  ///< from 0
};

}  // namespace mha::render
