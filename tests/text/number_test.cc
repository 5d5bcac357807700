#include "text/number.h"

#include <gtest/gtest.h>

#include <bit>
#include <cfloat>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace mha::test {
namespace {

using text::compact;
using text::exact;
using text::fixed;
using text::shortest;

std::string zeros(std::size_t count) { return std::string(count, '0'); }

double read_back(const std::string& text) {
  double value = 0.0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  EXPECT_TRUE(result.ec == std::errc() && result.ptr == text.data() + text.size()) << text;
  return value;
}

TEST(ShortestNumber, HasNoPointOnAWholeNumberAndNeverAnExponent) {
  EXPECT_EQ(shortest(48.0), "48");
  EXPECT_EQ(shortest(0.0), "0");
  EXPECT_EQ(shortest(1073741824.0), "1073741824");
  EXPECT_EQ(shortest(1.0986122886681098), "1.0986122886681098");
  EXPECT_EQ(shortest(0x1p-54), "0.00000000000000005551115123125783");
  EXPECT_EQ(shortest(0.1), "0.1");
  EXPECT_EQ(shortest(10.5), "10.5");
  EXPECT_EQ(shortest(0.001), "0.001");
  EXPECT_EQ(shortest(1e23), "1" + zeros(23));
  EXPECT_EQ(shortest(1e300), "1" + zeros(300));
  EXPECT_EQ(shortest(5e-324), "0." + zeros(323) + "5");
  EXPECT_EQ(shortest(DBL_MAX), "17976931348623157" + zeros(292));
}

TEST(ShortestNumber, HasASignOnlyBelowZero) {
  EXPECT_EQ(shortest(-0.0), "0");
  EXPECT_EQ(shortest(-48.0), "-48");
  EXPECT_EQ(shortest(-2.5), "-2.5");
  EXPECT_EQ(shortest(-0.125), "-0.125");
  EXPECT_EQ(shortest(-1e23), "-1" + zeros(23));
}

/// How many digits count: those between the first and the last that is not 0.
int significant_digits(const std::string& text) {
  std::string digits;
  for (const char c : text) {
    if (c >= '0' && c <= '9') digits += c;
  }
  const std::size_t first = digits.find_first_not_of('0');
  return static_cast<int>(digits.find_last_not_of('0') - first + 1);
}

TEST(ShortestNumber, ReadsBackToTheSameDoubleAndNoShorterOneWould) {
  std::mt19937_64 engine(61);
  for (int round = 0; round < 100'000; ++round) {
    const auto value = std::bit_cast<double>(engine());
    if (!std::isfinite(value)) continue;
    const std::string text = shortest(value);
    ASSERT_EQ(text.find_first_not_of("-.0123456789"), std::string::npos) << text;
    ASSERT_EQ(std::bit_cast<std::uint64_t>(read_back(text)), std::bit_cast<std::uint64_t>(value)) << text;
    const int digits = significant_digits(text);
    if (digits == 1) continue;
    char shorter[64];
    std::snprintf(shorter, sizeof shorter, "%.*e", digits - 2, value);
    ASSERT_NE(read_back(shorter), value) << text << " could be " << shorter;
  }
}

TEST(ShortestNumber, OfANumberThatIsNoneIsRefused) {
  for (const double value :
       {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
        std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROW(shortest(value), std::runtime_error) << value;
    EXPECT_THROW(fixed(value, 6), std::runtime_error) << value;
  }
}

TEST(ExactNumber, ReadsBackToTheSameDoubleInAtMostTwentyFourCharacters) {
  EXPECT_EQ(exact(0.25), "0.25");
  EXPECT_EQ(exact(27.0), "27");
  EXPECT_EQ(exact(-0.0), "0");
  EXPECT_EQ(exact(1.0 / 3.0), "0.3333333333333333");
  EXPECT_EQ(exact(5e-324), "5e-324");
  std::mt19937_64 engine(67);
  for (int round = 0; round < 10'000; ++round) {
    const auto value = std::bit_cast<double>(engine());
    if (!std::isfinite(value)) {
      EXPECT_THROW(exact(value), std::runtime_error);
      continue;
    }
    ASSERT_EQ(read_back(exact(value)), value);
    ASSERT_LE(exact(value).size(), 24U);
  }
}

TEST(FixedNumber, RoundsToItsPlacesTiesToEven) {
  EXPECT_EQ(fixed(0.25, 6), "0.250000");
  EXPECT_EQ(fixed(0.0078125, 6), "0.007812");
  EXPECT_EQ(fixed(0.0234375, 6), "0.023438");
  EXPECT_EQ(fixed(1.0 / 3.0, 6), "0.333333");
  EXPECT_EQ(fixed(-1.0, 6), "-1.000000");
  EXPECT_EQ(fixed(1.999, 2), "2.00");
  EXPECT_EQ(fixed(48.0, 0), "48");
  EXPECT_EQ(fixed(1e20, 6), "100000000000000000000.000000");
}

TEST(FixedNumber, ThatRoundsToZeroHasNoSign) {
  EXPECT_EQ(fixed(-1e-9, 6), "0.000000");
  EXPECT_EQ(fixed(-0.0, 6), "0.000000");
  EXPECT_EQ(fixed(-0.4, 0), "0");
  EXPECT_EQ(fixed(-5e-324, 2), "0.00");
  EXPECT_EQ(fixed(-1e-6, 6), "-0.000001");
}

TEST(CompactNumber, HasThreeDigitsOrAllOfAWholeNumber) {
  const std::vector<std::pair<double, std::string>> cases = {
      {0.0, "0"},         {-0.0, "0"},        {1.0, "1"},     {0.5, "0.5"},          {1.0 / 3.0, "0.333"},
      {-2.5, "-2.5"},     {998.7, "999"},     {999.4, "999"}, {999.5, "1000"},       {12345.0, "12345"},
      {99999.0, "99999"}, {-1234.0, "-1234"}, {1e5, "1e+05"}, {1.5e300, "1.5e+300"}, {1e-7, "1e-07"}};
  for (const auto& [value, text] : cases) EXPECT_EQ(compact(value), text);
}

TEST(CompactNumber, OfANumberThatIsNoneIsRefused) {
  for (const double value : {std::nan(""), std::numeric_limits<double>::infinity()})
    EXPECT_THROW(compact(value), std::runtime_error);
}

TEST(NumberAsDouble, LooksLikeNoInteger) {
  const std::vector<std::pair<double, std::string>> cases = {
      {0.0, "0.0"}, {-0.0, "-0.0"},  {1.0, "1.0"},       {-27.0, "-27.0"},
      {0.1, "0.1"}, {1e30, "1e+30"}, {5e-324, "5e-324"}, {1.0 / 3.0, "0.3333333333333333"}};
  for (const auto& [value, decimal] : cases) {
    std::string text = "x";
    text::append_as_double(value, text);
    EXPECT_EQ(text, "x" + decimal);
  }
  std::string text;
  EXPECT_THROW(text::append_as_double(std::nan(""), text), std::runtime_error);
}

TEST(ParseDouble, TakesADecimalAndNothingElse) {
  EXPECT_EQ(text::parse_double("3"), 3.0);
  EXPECT_EQ(text::parse_double("-2.5e3"), -2500.0);
  EXPECT_EQ(text::parse_double(".5"), 0.5);
  EXPECT_EQ(text::parse_double("1e999"), HUGE_VAL);
  EXPECT_EQ(text::parse_double("1e-999"), HUGE_VAL);
  for (const char* const text : {"", "-", ".", "nan", "inf", "-inf", "infinity", "+1", " 1", "1 ", "1x",
                                 "0x10", "1,5", "--1", "1e", "e5"})
    EXPECT_EQ(text::parse_double(text), std::nullopt) << text;
}

TEST(ParseWhole, TakesDecimalDigitsAndNothingElse) {
  EXPECT_EQ(text::parse_whole("0"), 0U);
  EXPECT_EQ(text::parse_whole("007"), 7U);
  EXPECT_EQ(text::parse_whole("18446744073709551615"), ~std::uint64_t{0});
  for (const char* const text : {"", "-1", "+1", " 1", "1 ", "1.0", "1x", "18446744073709551616"})
    EXPECT_EQ(text::parse_whole(text), std::nullopt) << text;
}

}  // namespace
}  // namespace mha::test
