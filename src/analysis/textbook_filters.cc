#include "analysis/textbook_filters.h"

#include <algorithm>
#include <cmath>

namespace mha::analysis {

const char* name_of(Filter filter) {
  constexpr std::array kNames = {"first-sample hold", "unit delay", "identity", "growing box", "next token"};
  return kNames.at(static_cast<std::size_t>(filter));
}

PerFilter filter_distances(std::span<const double> a, Index position, std::span<const char> seen,
                           Index first) {
  const double box = 1.0 / static_cast<double>(std::count(seen.begin(), seen.end(), 1));
  double sum = 0.0;
  double from_box = 0.0;
  std::size_t i = 0;
  for (const double weight : a) {
    sum += weight;
    from_box += std::abs(weight - (seen[i++] != 0 ? box : 0.0));
  }
  // All that is not on key j, and what key j lacks.
  const auto from_key = [&](Index j) {
    const double at_j = a[static_cast<std::size_t>(j)];
    return (sum - at_j) + std::abs(1.0 - at_j);
  };
  const Index last = static_cast<Index>(a.size()) - 1;
  const PerFilter twice = {from_key(first), from_key(std::max<Index>(first, position - 1)),
                           from_key(position), from_box, from_key(std::min(position + 1, last))};
  PerFilter distances{};
  std::transform(twice.begin(), twice.end(), distances.begin(),
                 [](double d) { return std::clamp(0.5 * d, 0.0, 1.0); });
  return distances;
}

}  // namespace mha::analysis
