#include "render/ticks.h"

#include <array>
#include <cmath>

namespace mha::render {

std::vector<double> round_ticks(double low, double high, std::size_t most) {
  if (!(low < high)) return {low};
  constexpr std::array kRound = {1.0, 2.0, 5.0, 10.0};
  // The halves keep a difference of two huge numbers finite.
  const double coarsest = 2.0 * (high / 2.0 - low / 2.0) / static_cast<double>(most - 1);
  const double power = std::pow(10.0, std::floor(std::log10(coarsest)));
  double step = power;
  for (const double factor : kRound) {
    step = factor * power;
    if (step >= coarsest * (1.0 - 1e-9)) break;
  }
  std::vector<double> ticks;
  const double slack = 1e-9 * step;
  for (double k = std::ceil((low - slack) / step); k * step <= high + slack && ticks.size() < most; ++k) {
    ticks.push_back(k * step + 0.0);  // + 0.0: not −0
  }
  return ticks;
}

Index label_step(double position_extent, double label_extent) {
  for (Index power = 1;; power *= 10) {
    for (const Index factor : {1, 2, 5}) {
      if (static_cast<double>(factor * power) * position_extent >= label_extent) return factor * power;
    }
  }
}

}  // namespace mha::render
