#pragma once

#include "render/color_maps.h"

/// What the panels of an SVG figure have in common to the eye.
namespace mha::render {

inline constexpr double kTitleSize = 14.0;
inline constexpr double kLabelSize = 12.0;
inline constexpr double kNameSize = 12.0;  ///< of an axis
inline constexpr double kNoteSize = 11.0;

inline constexpr double kTitleGap = 10.0;  ///< between a title and its plot
inline constexpr double kLabelGap = 7.0;   ///< between a plot and the labels beside it

inline constexpr double kLabelHeight = 15.0;
inline constexpr double kNameHeight = 18.0;  ///< of an axis

inline constexpr Rgb kInk{0x22, 0x26, 0x2c};      ///< what is to be read, on white
inline constexpr Rgb kQuiet{0x5b, 0x63, 0x6e};    ///< names of axes, notes
inline constexpr Rgb kRule{0x9a, 0xa1, 0xab};     ///< lines of axes
inline constexpr Rgb kGrid{0xe6, 0xe8, 0xec};     ///< lines to read values by
inline constexpr Rgb kCeiling{0xb9, 0xbe, 0xc6};  ///< of curves

}  // namespace mha::render
