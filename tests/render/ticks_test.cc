#include "render/ticks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace mha::test {
namespace {

using render::label_step;
using render::round_ticks;
using Ticks = std::vector<double>;

TEST(RoundTicks, AreOneTwoOrFiveTimesAPowerOfTenApart) {
  EXPECT_EQ(round_ticks(0.0, 1.0, 6), (Ticks{0.0, 0.2, 0.4, 3 * 0.2, 0.8, 1.0}));
  EXPECT_EQ(round_ticks(0.0, 10.0, 6), (Ticks{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(round_ticks(0.0, 10.0, 4), (Ticks{0, 5, 10}));
  EXPECT_EQ(round_ticks(-3.0, 3.0, 4), (Ticks{-2, 0, 2}));
  EXPECT_EQ(round_ticks(1.0, 1000.0, 5), (Ticks{500, 1000}));
  EXPECT_FALSE(std::signbit(round_ticks(-3.0, 3.0, 4)[1]));
}

TEST(RoundTicks, LieWithinTheEndsAndAreNoMoreThanAskedFor) {
  for (const double low : {-1e300, -7.3, 0.0, 1e-9}) {
    for (const double high : {2e-9, 0.37, 41.0, 1e300, std::numeric_limits<double>::max()}) {
      for (const std::size_t most : {2U, 3U, 7U}) {
        const Ticks ticks = round_ticks(low, high, most);
        EXPECT_LE(ticks.size(), most);
        for (const double tick : ticks) {
          EXPECT_TRUE(std::isfinite(tick));
          EXPECT_GE(tick, low - 1e-8 * (high / 2 - low / 2));
          EXPECT_LE(tick, high + 1e-8 * (high / 2 - low / 2));
        }
      }
    }
  }
}

TEST(RoundTicks, AreOneWhereTheEndsAreOne) { EXPECT_EQ(round_ticks(0.25, 0.25, 5), Ticks{0.25}); }

TEST(LabelStep, IsTheLeastRoundOneAtWhichLabelsDoNotTouch) {
  EXPECT_EQ(label_step(10.0, 8.0), 1);
  EXPECT_EQ(label_step(10.0, 10.0), 1);
  EXPECT_EQ(label_step(10.0, 11.0), 2);
  EXPECT_EQ(label_step(10.0, 30.0), 5);
  EXPECT_EQ(label_step(10.0, 51.0), 10);
  EXPECT_EQ(label_step(1.0, 101.0), 200);
  EXPECT_EQ(label_step(0.01, 20.0), 2000);
}

}  // namespace
}  // namespace mha::test
