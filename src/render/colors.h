#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "report/figure.h"

/// The colours of figures, in sRGB.
namespace mha::render {

struct Rgb {
  std::uint8_t red;
  std::uint8_t green;
  std::uint8_t blue;

  bool operator==(const Rgb&) const = default;
};

inline constexpr Rgb kBlack{0, 0, 0};
inline constexpr Rgb kWhite{255, 255, 255};

/// Masked cells: a grey that neither map below contains, so that nobody takes one for a 0.
inline constexpr Rgb kMasked{0xd5, 0xd8, 0xdd};

/// The levels of a channel in the 6 × 6 × 6 cube of xterm's 256 colours, which begins at 16.
inline constexpr std::array<std::uint8_t, 6> kCubeLevels = {0, 95, 135, 175, 215, 255};

/// #rrggbb
std::string hex(Rgb color);

/// Viridis (S. van der Walt and N. Smith for Matplotlib, 2015, CC0): dark at 0, bright at 1, evenly
/// spaced to the eye and to the colour-blind. Values outside take the colour of the nearer end.
Rgb viridis(double fraction);

/// Blue at −1, a neutral near-white at 0, red at 1: ColorBrewer's RdBu with 11 classes (C. Brewer,
/// Pennsylvania State University, colorbrewer2.org) the other way round, which the colour-blind can
/// tell apart too.
Rgb blue_to_red(double signed_fraction);

/// The same two maps in a few of xterm's 256 colours, picked by hand: taking the nearest colours would break
/// the order of luminance and change the hue.
Rgb viridis_of_256(double fraction);
Rgb blue_to_red_of_256(double signed_fraction);

/// Relative luminance, 0 to 1 (WCAG 2.1).
double luminance(Rgb color);

/// Black or white, whichever is easier to read on that background.
Rgb ink_on(Rgb background);

/// Colours of curves, readable on white and on black and told apart by the colour-blind
/// (M. Okabe and K. Ito, "Color Universal Design", 2008).
inline constexpr std::array kSeriesColors = {Rgb{0x00, 0x72, 0xb2}, Rgb{0xd5, 0x5e, 0x00},
                                             Rgb{0x00, 0x9e, 0x73}, Rgb{0xcc, 0x79, 0xa7}};

constexpr Rgb series_color(std::size_t curve) { return kSeriesColors[curve % kSeriesColors.size()]; }

/// The colour of a value, and the ends of the colour bar.
struct ColorScale {
  /// For values from `least` to `largest`, both finite. A weight scale goes from 0 to 1 whatever they
  /// are. A signed one is symmetric about 0 if they have both signs. If they have one sign it is the half
  /// that they use: a sequential scale that begins at the neutral 0. If all are 0 it is that one value.
  ColorScale(report::Scale of, double least, double largest);

  [[nodiscard]] Rgb color(double value) const;
  /// The same in colours of xterm's 256.
  [[nodiscard]] Rgb color_of_256(double value) const;
  /// |value| as a fraction of the scale's farthest end: 0 to 1.
  [[nodiscard]] double strength(double value) const;
  /// The value at `fraction` (0 to 1) of the colour bar.
  [[nodiscard]] double at(double fraction) const { return low * (1.0 - fraction) + high * fraction; }

  report::Scale kind;
  double low = 0.0;
  double high = 1.0;
};

}  // namespace mha::render
