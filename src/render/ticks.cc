#include "render/ticks.h"

#include <algorithm>
#include <cmath>

#include "text/number.h"

namespace mha::render {

std::vector<double> round_ticks(double low, double high, std::size_t most) {
  if (!(low < high)) return {low};
  constexpr double kHuge = 1e300;  // beyond it a difference, or a step, may overflow
  if (std::max(-low, high) > kHuge) {
    std::vector<double> ticks = round_ticks(low / kHuge, high / kHuge, most);
    for (double& tick : ticks) tick *= kHuge;
    return ticks;
  }
  const double coarsest = (high - low) / static_cast<double>(most - 1);
  const double power = std::pow(10.0, std::floor(std::log10(coarsest)));
  double step = 10.0 * power;
  for (const double factor : {5.0, 2.0, 1.0}) {
    if (factor * power >= coarsest * (1.0 - 1e-9)) step = factor * power;
  }
  std::vector<double> ticks;
  const double slack = 1e-9 * step;
  for (double k = std::ceil((low - slack) / step); k * step <= high + slack && ticks.size() < most; ++k) {
    ticks.push_back(k * step + 0.0);  // + 0.0: not −0
  }
  return ticks;
}

std::size_t widest_number(const std::vector<double>& numbers) {
  std::size_t columns = 0;
  for (const double number : numbers) columns = std::max(columns, text::compact(number).size());
  return columns;
}

Index label_step(double position_extent, double label_extent) {
  for (Index power = 1;; power *= 10) {
    for (const Index factor : {1, 2, 5}) {
      if (static_cast<double>(factor * power) * position_extent >= label_extent) return factor * power;
    }
  }
}

}  // namespace mha::render
