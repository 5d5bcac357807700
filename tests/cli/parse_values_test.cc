#include "cli/parse_values.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/refusal.h"

namespace mha::test {
namespace {

using cli::kLargestWhole;
using cli::parse_choice;
using cli::parse_count;
using cli::parse_counts;
using cli::parse_number;

/// A refusal that names the option, the text given (as it is shown) and what is allowed, on one line.
template <typename Parse>
void expect_refused(const Parse& parse, const std::string& shown, const std::string& allowed) {
  const std::string message = refusal<std::invalid_argument>(parse);
  const std::string start = "--option: '" + shown + "' is not ";
  EXPECT_EQ(message.substr(0, start.size()), start);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, allowed, message);
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
}

TEST(ParseCount, TakesWholeNumbersWithinTheRange) {
  EXPECT_EQ(parse_count("--T", "1", 1, kLargestWhole), 1U);
  EXPECT_EQ(parse_count("--T", "46341", 1, kLargestWhole), 46341U);
  EXPECT_EQ(parse_count("--T", "007", 1, kLargestWhole), 7U);
  EXPECT_EQ(parse_count("--T", "4294967297", 1, kLargestWhole), 4294967297U);
  EXPECT_EQ(parse_count("--T", "9223372036854775807", 1, kLargestWhole), kLargestWhole);
}

TEST(ParseCount, RefusesEverythingElse) {
  const std::vector<std::string> texts = {"-1",
                                          " -1",
                                          "0",
                                          "4.0",
                                          "4x",
                                          "0x10",
                                          "",
                                          " 4",
                                          "4 ",
                                          "+4",
                                          "1e3",
                                          "4,5",
                                          "nan",
                                          "four",
                                          "٤",
                                          "--T",
                                          "1_000",
                                          "1,000",
                                          "18446744073709551615",
                                          "18446744073709551616",
                                          "9223372036854775808",
                                          "99999999999999999999999999"};
  for (const std::string& text : texts) {
    expect_refused([&] { parse_count("--option", text, 1, kLargestWhole); }, text,
                   "a whole number from 1 to 2^63 - 1");
  }
}

TEST(ParseCount, StatesTheRangeThatItIsGiven) {
  EXPECT_EQ(parse_count("--option", "3", 3, 5), 3U);
  EXPECT_EQ(parse_count("--option", "5", 3, 5), 5U);
  expect_refused([] { parse_count("--option", "2", 3, 5); }, "2", "from 3 to 5");
  expect_refused([] { parse_count("--option", "6", 3, 5); }, "6", "from 3 to 5");
}

TEST(ParseCounts, TakesOneOrSeveral) {
  EXPECT_EQ(parse_counts("--heads", "2", 1, 4), std::vector<std::uint64_t>{2});
  EXPECT_EQ(parse_counts("--heads", "1,2,3,4,1,2,3,4", 1, 4),
            (std::vector<std::uint64_t>{1, 2, 3, 4, 1, 2, 3, 4}));
}

TEST(ParseCounts, RefusesTheListForAnyBadElement) {
  for (const char* const text :
       {"", ",", "1,,2", ",1", "1,", "5", "0", "1,0", "1 ,2", "1, 2", "1;2", "1,2x", "1.5"}) {
    expect_refused([&] { parse_counts("--option", text, 1, 4); }, text,
                   "a whole number from 1 to 4, or several separated by commas");
  }
}

TEST(ParseNumber, TakesFiniteDecimals) {
  EXPECT_EQ(parse_number("--gain", "3"), 3.0);
  EXPECT_EQ(parse_number("--gain", "2.5"), 2.5);
  EXPECT_EQ(parse_number("--gain", "-3"), -3.0);
  EXPECT_EQ(parse_number("--gain", "0"), 0.0);
  EXPECT_EQ(parse_number("--gain", "1e-6"), 1e-6);
  EXPECT_EQ(parse_number("--gain", "1e12"), 1e12);
  EXPECT_EQ(parse_number("--gain", "1e308"), 1e308);
  EXPECT_EQ(parse_number("--gain", ".5"), 0.5);
}

TEST(ParseNumber, RefusesEverythingElse) {
  for (const char* const text :
       {"nan", "-nan", "NaN",  "inf", "-inf", "infinity", "1e400", "-1e400", "",      " 3",   "3 ",
        "+3",  "3x",   "0x10", "2,5", "1e",   "e5",       ".",     "--",     "three", "1.2.3"}) {
    expect_refused([&] { parse_number("--option", text); }, text, "a finite number");
  }
}

TEST(ParseChoice, TakesTheChoicesAsTheyAreWritten) {
  EXPECT_EQ(parse_choice("--wo", "swap", {"mixing", "identity", "swap"}), "swap");
}

TEST(ParseChoice, RefusesOthersListingTheChoices) {
  for (const char* const text : {"Swap", "", "swa", "mixing "}) {
    expect_refused(
        [&] {
          parse_choice("--option", text, {"mixing", "identity", "swap"});
        },
        text, "one of mixing, identity, swap");
  }
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "did you mean 'identity'?", refusal<std::invalid_argument>([] {
                        parse_choice("--wo", "identiy", {"mixing", "identity", "swap"});
                      }));
}

TEST(ParseValues, AMessageStaysOneLineWhateverWasTyped) {
  expect_refused([] { parse_count("--option", "4\n5", 1, 9); }, "4\\x0a5", "from 1 to 9");
  expect_refused([] { parse_number("--option", "\x1b[31m"); }, "\\x1b[31m", "a finite number");
}

}  // namespace
}  // namespace mha::test
