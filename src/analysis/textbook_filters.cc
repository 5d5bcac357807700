#include "analysis/textbook_filters.h"

#include <algorithm>
#include <cmath>

namespace mha::analysis {

const char* name_of(Filter filter) {
  constexpr std::array kNames = {"first-sample hold", "unit delay", "identity", "growing box"};
  return kNames.at(static_cast<std::size_t>(filter));
}

PerFilter filter_distances(std::span<const double> a, Index position, Index seen) {
  const double box = 1.0 / static_cast<double>(seen);
  double sum = 0.0;
  double from_box = 0.0;
  Index i = 0;
  for (const double weight : a) {
    sum += weight;
    from_box += std::abs(weight - (i++ < seen ? box : 0.0));
  }
  // All that is not on key j, and what key j lacks.
  const auto from_key = [&](Index j) {
    const double at_j = a[static_cast<std::size_t>(j)];
    return (sum - at_j) + std::abs(1.0 - at_j);
  };
  const PerFilter twice = {from_key(0), from_key(std::max<Index>(0, position - 1)), from_key(position),
                           from_box};
  PerFilter distances{};
  std::transform(twice.begin(), twice.end(), distances.begin(),
                 [](double d) { return std::clamp(0.5 * d, 0.0, 1.0); });
  return distances;
}

}  // namespace mha::analysis
