#pragma once

#include <array>
#include <span>

#include "attention/mask.h"
#include "attention/matrix.h"

/// How near a row of attention weights is to the four textbook filters that the lesson's heads stand for, and
/// to one that looks ahead.
namespace mha::analysis {

enum class Filter {
  kFirstSampleHold,  ///< all weight on the first key
  kUnitDelay,        ///< on the key before the query; on the first where there is none before
  kIdentity,         ///< on the query's own key
  kGrowingBox,       ///< the same on every key that the query sees
  kNextToken,        ///< on the key after the query; on the last where there is none after
};

inline constexpr std::array kFilters = {Filter::kFirstSampleHold, Filter::kUnitDelay, Filter::kIdentity,
                                        Filter::kGrowingBox, Filter::kNextToken};

/// "first-sample hold", "unit delay", "identity", "growing box", "next token".
const char* name_of(Filter filter);

/// One number for each filter, in the order of kFilters.
using PerFilter = std::array<double, kFilters.size()>;

/// The total-variation distances ½ Σ_i |a_i − f_i| in [0, 1] from a row of weights `a` to each filter's row
/// `f`: the share of the weight that lies elsewhere. `position` (0-based) is the query's own among the keys,
/// `first` that of the first key that is no padding; `seen` says of each key whether the query sees it (1 or
/// 0), and it sees at least one.
PerFilter filter_distances(std::span<const double> a, Index position, std::span<const char> seen,
                           Index first = 0);

}  // namespace mha::analysis
