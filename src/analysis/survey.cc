#include "analysis/survey.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <span>

#include "analysis/entropy.h"
#include "attention/progress.h"
#include "attention/threads.h"

namespace mha::analysis {
namespace {

/// Doubles held at a time: rows of every head's weights.
constexpr Index kHeld = Index{1} << 20;

/// What one row adds to the sums.
struct Row {
  std::vector<HeadSurvey> heads;
  std::vector<double> divergence;  ///< of the pairs (0, 1), (0, 2), …, (1, 2), …
};

std::span<const double> row_of(const Matrix& A, Index r) {
  return {A.row(r).data(), static_cast<std::size_t>(A.cols())};
}

/// The weights of the keys alone: without a sink they sum to 1.
void renormalise(Matrix& A, Index r) {
  const double sum = A.row(r).sum();
  if (sum > 0.0) A.row(r) /= sum;
}

Row survey_row(const attention::Layer& layer, std::span<const std::size_t> heads, std::vector<Matrix>& A,
               Index r, Index t) {
  Row row;
  const Index position = std::clamp<Index>(t + layer.shift, 0, layer.T_k - 1);
  Index first = 0;
  while (first < layer.T_k - 1 && !layer.rules.mask.is_token(first)) ++first;
  std::vector<double> sums;
  std::vector<char> seen;
  for (std::size_t g = 0; g < A.size(); ++g) {
    const attention::Head& head = layer.heads[heads[g]];
    if (head.sink) renormalise(A[g], r);
    if (g == 0 || head.M) {
      seen.resize(static_cast<std::size_t>(layer.T_k));
      for (Index i = 0; i < layer.T_k; ++i)
        seen[static_cast<std::size_t>(i)] = layer.sees(heads[g], t, i) ? 1 : 0;
    }
    sums.push_back(entropy_sum_bits(row_of(A[g], r)));
    const double bits = entropy_bits(row_of(A[g], r), sums.back());
    row.heads.push_back({filter_distances(row_of(A[g], r), position, seen, first), bits, std::exp2(bits)});
  }
  for (std::size_t g = 0; g < A.size(); ++g) {
    for (std::size_t h = g + 1; h < A.size(); ++h) {
      row.divergence.push_back(jensen_shannon_bits(row_of(A[g], r), sums[g], row_of(A[h], r), sums[h]));
    }
  }
  return row;
}

void add(const Row& row, Survey& sums) {
  auto divergence = row.divergence.begin();
  for (std::size_t g = 0; g < row.heads.size(); ++g) {
    HeadSurvey& sum = sums.heads[g];
    for (std::size_t f = 0; f < kFilters.size(); ++f) sum.distances[f] += row.heads[g].distances[f];
    sum.bits += row.heads[g].bits;
    sum.effective_positions += row.heads[g].effective_positions;
    for (std::size_t h = g + 1; h < row.heads.size(); ++h) {
      sums.divergence_bits(static_cast<Index>(g), static_cast<Index>(h)) += *divergence++;
    }
  }
}

void divide(Survey& sums, double rows) {
  for (HeadSurvey& head : sums.heads) {
    for (double& distance : head.distances) distance /= rows;
    head.bits /= rows;
    head.effective_positions /= rows;
  }
  sums.ceiling_bits /= rows;
  sums.ceiling_positions /= rows;
  sums.divergence_bits /= rows;
  const Matrix upper = sums.divergence_bits;
  sums.divergence_bits += upper.transpose();
}

}  // namespace

Survey survey(const attention::Layer& layer, std::span<const std::size_t> heads,
              const std::vector<RowSource>& weights) {
  const auto H = static_cast<Index>(weights.size());
  Survey sums{std::vector<HeadSurvey>(weights.size()), 0.0, 0.0, Matrix::Zero(H, H)};
  const auto pairs = [&](Index n) { return static_cast<double>(n * layer.T_k) * static_cast<double>(H); };
  attention::plan_pairs(pairs(layer.T_q));
  /// How many keys the query sees, in the head that sees most; 0 for a query that no mean counts.
  const auto keys = [&](Index t) {
    Index most = 0;
    Index least = layer.is_padding(t) ? 0 : layer.T_k;
    for (const std::size_t h : heads) {
      most = std::max(most, layer.visible(h, t));
      least = std::min(least, layer.visible(h, t));
      if (!layer.heads[h].M) break;
    }
    return least == 0 ? 0 : most;
  };

  double counted = 0.0;
  const Index height = std::clamp<Index>(kHeld / std::max<Index>(1, H * layer.T_k), 1, 256);
  for (Index first = 0; first < layer.T_q; first += height) {
    const Index n = std::min(height, layer.T_q - first);
    std::vector<Matrix> A(weights.size(), Matrix(n, layer.T_k));
    for (std::size_t h = 0; h < A.size(); ++h) weights[h](first, A[h]);

    std::vector<Row> rows(static_cast<std::size_t>(n));
    std::vector<Index> seen;
    for (Index t = first; t < first + n; ++t) seen.push_back(keys(t));
    std::atomic<Index> next{0};
    const bool worthwhile = pairs(n) * static_cast<double>(H) > 1e5;
    attention::on_threads(worthwhile ? attention::threads() : 1, [&] {
      for (Index r = next++; r < n; r = next++) {
        const auto at = static_cast<std::size_t>(r);
        if (seen[at] > 0) rows[at] = survey_row(layer, heads, A, r, first + r);
      }
    });
    for (std::size_t r = 0; r < rows.size(); ++r) {  // in order, so that no sum depends on the threads
      if (seen[r] == 0) continue;
      add(rows[r], sums);
      sums.ceiling_bits += std::log2(static_cast<double>(seen[r]));
      sums.ceiling_positions += static_cast<double>(seen[r]);
      counted += 1.0;
    }
    attention::finish_pairs(pairs(n));
  }
  divide(sums, std::max(counted, 1.0));
  return sums;
}

}  // namespace mha::analysis
