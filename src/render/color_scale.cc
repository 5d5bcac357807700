#include "render/color_scale.h"

#include <algorithm>
#include <cmath>

namespace mha::render {

ColorScale::ColorScale(report::Scale kind, double least, double largest)
    : kind_(kind), low_(0.0), high_(1.0), farthest_(1.0) {
  if (kind == report::Scale::kWeight) return;
  farthest_ = std::max(std::abs(least), std::abs(largest));
  low_ = least < 0.0 ? -farthest_ : 0.0;
  high_ = largest > 0.0 ? farthest_ : 0.0;
}

double ColorScale::strength(double value) const {
  return farthest_ > 0.0 ? std::min(1.0, std::abs(value) / farthest_) : 0.0;
}

Rgb ColorScale::color(double value) const {
  if (kind_ == report::Scale::kWeight) return viridis(value);
  return blue_to_red(std::copysign(strength(value), value));
}

Rgb ColorScale::color_of_256(double value) const {
  if (kind_ == report::Scale::kWeight) return viridis_of_256(value);
  return blue_to_red_of_256(std::copysign(strength(value), value));
}

}  // namespace mha::render
