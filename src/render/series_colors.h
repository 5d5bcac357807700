#pragma once

#include <array>
#include <cstddef>

#include "render/color_maps.h"

namespace mha::render {

/// Colours of curves side by side, readable on white and on black and told apart by the colour-blind
/// (M. Okabe and K. Ito, "Color Universal Design", 2008).
inline constexpr std::array kSeriesColors = {Rgb{0x00, 0x72, 0xb2}, Rgb{0xd5, 0x5e, 0x00},
                                             Rgb{0x00, 0x9e, 0x73}, Rgb{0xcc, 0x79, 0xa7}};

constexpr Rgb series_color(std::size_t curve) { return kSeriesColors[curve % kSeriesColors.size()]; }

}  // namespace mha::render
