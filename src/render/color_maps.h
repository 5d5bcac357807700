#pragma once

#include <array>
#include <cstdint>
#include <string>

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

/// Masked cells: a grey, which neither map below contains, so that nobody takes one for a 0.
inline constexpr Rgb kMasked{0xd5, 0xd8, 0xdd};

/// The levels of a channel in the 6 × 6 × 6 cube of xterm's 256 colours, which begins at 16.
inline constexpr std::array<std::uint8_t, 6> kCubeLevels = {0, 95, 135, 175, 215, 255};

/// #rrggbb
std::string hex(Rgb color);

/// Viridis (S. van der Walt and N. Smith for Matplotlib, 2015, CC0): dark at 0, bright at 1, evenly
/// spaced to the eye and to the colour-blind. What lies outside takes the colour of the end.
Rgb viridis(double fraction);

/// Blue at −1, a neutral near-white at 0, red at 1: ColorBrewer's RdBu with 11 classes (C. Brewer,
/// Pennsylvania State University, colorbrewer2.org) the other way round, which the colour-blind can
/// tell apart too.
Rgb blue_to_red(double signed_fraction);

/// The same two maps in the few colours of xterm's 256 that do: picked by hand, ordered by luminance and
/// each of its map's hue, which the nearest colours are not.
Rgb viridis_of_256(double fraction);
Rgb blue_to_red_of_256(double signed_fraction);

/// Relative luminance, 0 to 1 (WCAG 2.1).
double luminance(Rgb color);

/// Black or white, whichever can be read better on that background.
Rgb ink_on(Rgb background);

}  // namespace mha::render
