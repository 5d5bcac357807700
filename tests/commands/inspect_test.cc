// inspect: what it says of heads that are known.
#include "commands/commands.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "lessons/09-multi-head-attention/lesson.h"
#include "tests/support/lesson_heads.h"
#include "tests/support/models.h"
#include "tests/support/reference.h"
#include "tests/support/refusal.h"
#include "tests/support/report_values.h"

namespace mha::test {
namespace {

const std::vector<std::string> kFilterNames = {"first-sample hold", "unit delay", "identity", "growing box"};

/// The lesson's four heads as a file holds them.
std::vector<NamedArray> lesson_file(Index T, double gain) {
  std::vector<Matrix> Q;
  std::vector<Matrix> K;
  for (int number = 1; number <= lesson09::kHeads; ++number) {
    const LessonHead head = lesson_head(number, T, gain);
    Q.push_back(head.Q);
    K.push_back(head.K);
  }
  return {stacked("Q", Q), stacked("K", K)};
}

report::Report inspected(const std::vector<NamedArray>& arrays, std::optional<input::Layout> layout = {},
                         Index H = 0) {
  const TemporaryFile file("heads.json", json_bytes(arrays));
  commands::HeadOptions options;
  options.heads.clear();
  options.source.file = options_for(file, layout, H);
  return commands::inspect(options);
}

std::vector<report::Object> heads_of(const report::Report& report) {
  return elements<report::Object>(member(report.results, "heads"));
}

TEST(Inspect, NamesTheLessonsFourHeads) {
  const auto heads = heads_of(inspected(lesson_file(6, 3.0)));
  ASSERT_EQ(heads.size(), 4U);
  for (std::size_t h = 0; h < 4; ++h) {
    EXPECT_EQ(member_as<std::string>(heads[h], "nearest"), kFilterNames[h]);
    EXPECT_NE(member_as<std::string>(heads[h], "runner_up"), kFilterNames[h]);
    EXPECT_LT(member_as<double>(heads[h], "distance"), member_as<double>(heads[h], "runner_up_distance"));
  }
  EXPECT_EQ(member_as<double>(heads[3], "distance"), 0.0);
  const std::vector<report::Count> ranks = {1, 2, 2, 0};
  for (std::size_t h = 0; h < 4; ++h) EXPECT_EQ(member_as<report::Count>(heads[h], "rank"), ranks[h]);
  // Row 4 and 6 of the uniform head look at 4 and 6 positions.
  EXPECT_NEAR(member_as<double>(heads[3], "mean_effective_positions"), 3.5, 1e-12);
}

TEST(Inspect, NamesTheRunnerUpOfMixtures) {
  constexpr Index kT = 40;
  const auto mixture = [](double first, double previous, double self) {
    Matrix A = Matrix::Zero(kT, kT);
    for (Index t = 0; t < kT; ++t) {
      A(t, 0) += first;
      A(t, std::max<Index>(t - 1, 0)) += previous;
      A(t, t) += self;
    }
    return A;
  };
  // Of three filters in halves, 0.3 and 0.2: the one of 0.3. The growing box is far from all of them.
  const auto heads = heads_of(
      inspected({stacked("A", {mixture(0.2, 0.3, 0.5), mixture(0.5, 0.2, 0.3), mixture(0.3, 0.5, 0.2)})}));
  const std::vector<std::string> nearest = {"identity", "first-sample hold", "unit delay"};
  const std::vector<std::string> runner_up = {"unit delay", "identity", "first-sample hold"};
  ASSERT_EQ(heads.size(), 3U);
  for (std::size_t h = 0; h < 3; ++h) {
    EXPECT_EQ(member_as<std::string>(heads[h], "closest"), nearest[h]);
    EXPECT_EQ(member_as<std::string>(heads[h], "runner_up"), runner_up[h]);
    EXPECT_NEAR(member_as<double>(heads[h], "distance"), 0.5, 0.04);
    EXPECT_NEAR(member_as<double>(heads[h], "runner_up_distance"), 0.7, 0.04);
  }
}

TEST(Inspect, DistancesFallAsTheGainRises) {
  std::vector<double> before(3, 2.0);
  for (const double gain : {2.0, 3.0, 6.0, 9.0}) {
    const auto heads = heads_of(inspected(lesson_file(6, gain)));
    for (std::size_t h = 0; h < 3; ++h) {
      const double distance = member_as<double>(heads[h], "distance");
      EXPECT_LT(distance, before[h]) << "head " << h + 1 << ", gain " << gain;
      before[h] = distance;
    }
  }
}

TEST(Inspect, AWeightAboveTheDiagonalChangesNeitherFiltersNorCeilings) {
  Matrix A{{1.0, 0.0, 0.0}, {0.5, 0.5, 0.0}, {1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0}};
  const report::Report right = inspected({stacked("A", {A, A})});
  Matrix leaking = A;
  leaking(0, 2) = 1e-9;
  const report::Report report = inspected({stacked("A", {leaking, A})});
  for (const auto& head : heads_of(report)) {
    EXPECT_EQ(member_as<std::string>(head, "nearest"), "growing box");
    EXPECT_NEAR(member_as<double>(head, "distance"), 0.0, 1e-9);
  }
  for (const char* ceiling : {"ceiling_bits", "ceiling_positions"}) {
    EXPECT_EQ(member_as<double>(report.results, ceiling), member_as<double>(right.results, ceiling))
        << ceiling;
  }
}

TEST(Inspect, SharesAddUpAndFollowTheNorms) {
  const SmallLayer layer = small_layer(6, 3, 2, 3, 21);
  const auto heads = heads_of(inspected(torch_arrays(layer), input::Layout::kTorch, 3));
  std::vector<double> norms;
  double sum = 0.0;
  for (Index h = 0; h < 3; ++h) {
    norms.push_back(
        (reference_output(layer.Q(h), layer.K(h), layer.V(h)) * layer.W_O.middleRows(2 * h, 2)).norm());
    sum += norms.back();
  }
  // The value bias is part of V.
  for (std::size_t h = 0; h < 3; ++h)
    EXPECT_NEAR(member_as<double>(heads[h], "output_share"), norms[h] / sum, 1e-12);
}

TEST(Inspect, NamesThePairsThatRepeatEachOther) {
  std::vector<NamedArray> arrays = lesson_file(6, 3.0);
  const report::Report apart = inspected(arrays);
  EXPECT_EQ(printed_line(apart.lines.back()), "no near-duplicate heads (below 0.01 bits)");
  // Head 3 once more in the place of head 1.
  for (NamedArray& array : arrays) {
    const std::size_t size = array.values.size() / 4;
    std::copy_n(array.values.begin() + static_cast<std::ptrdiff_t>(2 * size), size, array.values.begin());
  }
  const report::Report report = inspected(arrays);
  const Matrix divergence = whole(member_as<report::LazyMatrix>(report.results, "divergence_bits"));
  EXPECT_EQ(divergence(0, 2), 0.0);
  EXPECT_EQ(divergence, Matrix(divergence.transpose()));
  EXPECT_GT(divergence(0, 1), 0.1);
  EXPECT_EQ(printed_line(report.lines.back()), "  heads 1 and 3: 0");
}

TEST(Inspect, CallsAHeadThatIsFarFromEveryFilterByNone) {
  constexpr Index kT = 40;
  Matrix A = Matrix::Zero(kT, kT);  // half of the weight two keys back
  for (Index t = 0; t < kT; ++t) {
    A(t, t) += 0.4;
    A(t, std::max<Index>(t - 2, 0)) += 0.6;
  }
  const report::Report report = inspected({named("A", A)});
  const auto heads = heads_of(report);
  EXPECT_EQ(member_as<std::string>(heads.at(0), "nearest"), "none");
  EXPECT_EQ(member_as<std::string>(heads.at(0), "closest"), "identity");
  EXPECT_GT(member_as<double>(heads.at(0), "distance"), 0.5);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "none: identity", printed_line(report.lines.at(0)));
}

TEST(Inspect, KnowsTheNextTokenWhereAQueryMaySeeIt) {
  constexpr Index kT = 5;
  Matrix A = Matrix::Zero(kT, kT);
  for (Index t = 0; t < kT; ++t) A(t, std::min<Index>(t + 1, kT - 1)) = 1.0;
  const TemporaryFile file("heads.json", json_bytes({named("A", A)}));
  commands::HeadOptions options;
  options.source.file = options_for(file);
  options.source.file.mask = input::Masking::kNone;
  const report::Report report = commands::inspect(options);
  EXPECT_EQ(member_as<std::string>(heads_of(report).at(0), "nearest"), "next token");
  EXPECT_EQ(member_as<double>(heads_of(report).at(0), "distance"), 0.0);
  EXPECT_NEAR(member_as<double>(report.results, "ceiling_bits"), std::log2(5.0), 1e-12);
  options.source.file.mask = input::Masking::kCausal;
  EXPECT_NE(member_as<std::string>(heads_of(commands::inspect(options)).at(0), "closest"), "next token");
}

TEST(Inspect, LeavesOutWhatIsNotKnown) {
  const auto heads = heads_of(inspected({{"A", {2, 2}, {1, 0, 0.5, 0.5}}}));
  EXPECT_EQ(names(heads.at(0)),
            (std::vector<std::string>{"head", "name", "nearest", "closest", "distance", "runner_up",
                                      "runner_up_distance", "mean_bits", "mean_effective_positions"}));
  EXPECT_EQ(member_as<double>(heads[0], "mean_bits"), 0.5);
}

}  // namespace
}  // namespace mha::test
