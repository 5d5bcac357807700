// The textbook filters, the divergence of two rows, and the survey of a layer's heads.
#include "analysis/survey.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "analysis/entropy.h"
#include "attention/causal_attention.h"
#include "attention/threads.h"
#include "lessons/09-multi-head-attention/lesson.h"
#include "tests/support/lesson_heads.h"
#include "tests/support/random.h"

namespace mha::test {
namespace {

using analysis::Filter;
using analysis::PerFilter;
using attention::Mask;

constexpr double kClose = 1e-12;

void expect_close(const PerFilter& found, const PerFilter& right) {
  for (std::size_t f = 0; f < right.size(); ++f) EXPECT_NEAR(found[f], right[f], kClose) << "filter " << f;
}

/// The first `seen` of `keys` keys are seen.
std::vector<char> first_keys(std::size_t seen, std::size_t keys) {
  std::vector<char> flags(keys, 0);
  std::fill_n(flags.begin(), seen, 1);
  return flags;
}

TEST(TextbookFilters, DistancesAreTheShareOfWeightThatLiesElsewhere) {
  const std::vector<double> a = {0.5, 0.125, 0.25, 0.125, 0.0};
  expect_close(analysis::filter_distances(a, 3, first_keys(4, 5)), {0.5, 0.75, 0.875, 0.25, 1.0});
}

TEST(TextbookFilters, EachFilterIsAtDistanceZeroFromItself) {
  const std::vector<std::vector<double>> rows = {
      {1, 0, 0, 0, 0}, {0, 0, 1, 0, 0}, {0, 0, 0, 1, 0}, {0.25, 0.25, 0.25, 0.25, 0}};
  for (std::size_t f = 0; f < rows.size(); ++f) {
    const PerFilter distances = analysis::filter_distances(rows[f], 3, first_keys(4, 5));
    for (std::size_t g = 0; g < rows.size(); ++g) {
      const double right = f == g ? 0.0 : f == 3 || g == 3 ? 0.75 : 1.0;
      EXPECT_NEAR(distances[g], right, kClose) << f << " from " << g;
    }
  }
}

TEST(TextbookFilters, TheFirstQueryHasNoKeyBeforeIt) {
  expect_close(analysis::filter_distances(std::vector<double>{1, 0, 0}, 0, first_keys(1, 3)),
               {0, 0, 0, 0, 1});
}

double divergence(const std::vector<double>& p, const std::vector<double>& q) {
  return analysis::jensen_shannon_bits(p, analysis::entropy_sum_bits(p), q, analysis::entropy_sum_bits(q));
}

TEST(Divergence, IsZeroForRowsWhoseSumsAreALittleOff) {
  const std::vector<double> p(3, static_cast<double>(1.0F / 3.0F));
  const double sum = analysis::entropy_sum_bits(p);
  EXPECT_EQ(analysis::jensen_shannon_bits(p, sum, p, sum), 0.0);
  EXPECT_GT(sum, analysis::entropy_bits(p)) << "this row does not sum to more than 1";
}

TEST(Divergence, IsZeroForEqualsOneForStrangersAndSymmetric) {
  EXPECT_EQ(divergence({0.3, 0.7, 0}, {0.3, 0.7, 0}), 0.0);
  EXPECT_EQ(divergence({1, 0}, {0, 1}), 1.0);
  // H(3/4, 1/4) − ½
  EXPECT_NEAR(divergence({1, 0}, {0.5, 0.5}), 0.31127812445913283, kClose);
  EXPECT_EQ(divergence({1, 0}, {0.5, 0.5}), divergence({0.5, 0.5}, {1, 0}));
}

RowSource rows_of(const Matrix& Q, const Matrix& K, Mask mask = {}) {
  return [Q, K, mask](Index first, Block A) { attention::attention_weights(Q, K, first, A, mask); };
}

/// The survey of heads with these weights.
analysis::Survey survey(Index T_q, Index T_k, Mask mask, Index shift, const std::vector<RowSource>& weights) {
  attention::Layer layer;
  layer.T_q = T_q;
  layer.T_k = T_k;
  layer.rules.mask = mask;
  layer.shift = shift;
  layer.heads.resize(weights.size());
  std::vector<std::size_t> numbers(weights.size());
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return analysis::survey(layer, numbers, weights);
}

analysis::Survey lesson_survey(Index T, double gain) {
  std::vector<RowSource> weights;
  for (int number = 1; number <= lesson09::kHeads; ++number) {
    const LessonHead head = lesson_head(number, T, gain);
    weights.push_back(rows_of(head.Q, head.K));
  }
  return survey(T, T, Mask::kCausal, 0, weights);
}

std::size_t nearest(const PerFilter& distances) {
  return static_cast<std::size_t>(std::min_element(distances.begin(), distances.end() - 1) -
                                  distances.begin());
}

TEST(Survey, FindsTheLessonsFourHeads) {
  const analysis::Survey found = lesson_survey(6, 3.0);
  for (std::size_t h = 0; h < 4; ++h) EXPECT_EQ(nearest(found.heads[h].distances), h) << "head " << h + 1;
  EXPECT_NEAR(found.ceiling_positions, 3.5, kClose);
  EXPECT_NEAR(found.ceiling_bits, std::log2(720.0) / 6.0, kClose);
  EXPECT_NEAR(found.heads[3].bits, found.ceiling_bits, kClose);
  EXPECT_NEAR(found.heads[3].effective_positions, 3.5, kClose);
}

TEST(Survey, DistancesFallAsTheGainRises) {
  std::vector<double> before(3, 2.0);
  for (const double gain : {1.0, 2.0, 3.0, 6.0, 9.0, 20.0}) {
    const analysis::Survey found = lesson_survey(6, gain);
    for (std::size_t h = 0; h < 3; ++h) {
      const double distance = found.heads[h].distances[h];
      EXPECT_LT(distance, before[h]) << "head " << h + 1 << ", gain " << gain;
      before[h] = distance;
    }
  }
}

TEST(Survey, UniformAttentionIsUniformAtEveryLength) {
  for (Index T = 2; T <= 4096; T = T < 40 ? T + 1 : T * 2) {
    const Matrix zero = Matrix::Zero(T, 1);
    const analysis::Survey found = survey(T, T, Mask::kCausal, 0, {rows_of(zero, zero)});
    const PerFilter& distances = found.heads[0].distances;
    EXPECT_EQ(distances[3], 0.0) << "T = " << T;
    EXPECT_GT(std::min({distances[0], distances[1], distances[2]}), 0.0) << "T = " << T;
  }
}

TEST(Survey, TheLastQueriesOfALongerSequenceStandAtItsEnd) {
  // Every query looks at the key before its own, 3 keys further on than its number.
  const Index T_q = 4;
  const Index T_k = 7;
  const RowSource delay = [](Index first, Block A) {
    A.setZero();
    for (Index r = 0; r < A.rows(); ++r) A(r, first + r + 3 - 1) = 1.0;
  };
  const analysis::Survey found = survey(T_q, T_k, Mask{3}, 3, {delay});
  EXPECT_EQ(nearest(found.heads[0].distances), static_cast<std::size_t>(Filter::kUnitDelay));
  EXPECT_EQ(found.heads[0].distances[1], 0.0);
  EXPECT_EQ(found.heads[0].bits, 0.0);
}

TEST(Survey, RowsThatSeeNoKeyAreLeftOut) {
  const Matrix Q = Matrix::Zero(5, 1);
  const Matrix K = Matrix::Zero(2, 1);
  const analysis::Survey found = survey(5, 2, Mask{-3}, -3, {rows_of(Q, K, Mask{-3})});
  EXPECT_NEAR(found.heads[0].bits, 0.5, kClose);
  EXPECT_NEAR(found.ceiling_positions, 1.5, kClose);
  EXPECT_EQ(found.heads[0].distances[3], 0.0);
}

TEST(Survey, MeansAreThoseOfTheRowsAndIndependentOfThreads) {
  std::mt19937 engine(5);
  const Index T = 150;
  std::vector<RowSource> weights;
  std::vector<Matrix> A;
  for (int h = 0; h < 3; ++h) {
    const Matrix Q = random_matrix(T, 4, engine);
    const Matrix K = random_matrix(T, 4, engine);
    weights.push_back(rows_of(Q, K));
    A.emplace_back(T, T);
    weights.back()(0, A.back());
  }
  const analysis::Survey found = survey(T, T, Mask::kCausal, 0, weights);
  double sum = 0.0;
  for (Index t = 0; t < T; ++t) {
    const auto row = [&](std::size_t h) {
      return std::vector<double>(A[h].row(t).begin(), A[h].row(t).end());
    };
    sum += divergence(row(0), row(2));
  }
  EXPECT_NEAR(found.divergence_bits(0, 2), sum / static_cast<double>(T), kClose);
  EXPECT_EQ(found.divergence_bits(0, 2), found.divergence_bits(2, 0));
  EXPECT_EQ(found.divergence_bits(1, 1), 0.0);

  attention::set_threads(1);
  EXPECT_EQ(survey(T, T, Mask::kCausal, 0, weights).divergence_bits, found.divergence_bits);
  attention::set_threads(0);
}

}  // namespace
}  // namespace mha::test
