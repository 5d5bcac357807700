#pragma once

#include <algorithm>
#include <array>

#include "text/choice.h"

namespace mha::attention {

/// The format that numbers were last rounded to, the finest first.
enum class Precision { kFloat64, kFloat32, kFloat16, kBfloat16 };
inline constexpr std::array kPrecisionNames = {"float64", "float32", "float16", "bfloat16"};
constexpr text::Names names_of(Precision) { return kPrecisionNames; }

/// ε, the distance from 1 to the next number of the format. Rounding changes a number by at most ε/2 of it.
constexpr double epsilon(Precision precision) {
  constexpr std::array kEpsilons = {0x1p-52, 0x1p-23, 0x1p-10, 0x1p-7};
  return kEpsilons.at(static_cast<std::size_t>(precision));
}

}  // namespace mha::attention
