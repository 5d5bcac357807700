#include "options/values.h"

#include <gtest/gtest.h>

#include <array>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/refusal.h"

namespace mha::test {
namespace {

using options::kLargestWhole;

enum class Mixer { kMixing, kIdentity, kSwap };
constexpr std::array kMixerNames = {"mixing", "identity", "swap"};
constexpr text::Names names_of(Mixer) { return kMixerNames; }

template <typename T>
T parsed(const std::string& text) {
  T value{};
  options::parse("--option", text, value);
  return value;
}

/// A refusal that names the option, the text given (as it is shown) and what is allowed, on one line.
template <typename T>
void expect_refused(const std::string& text, const std::string& shown, const std::string& allowed) {
  const std::string message = refusal<std::invalid_argument>([&] { parsed<T>(text); });
  const std::string start = "--option: '" + shown + "' is not ";
  EXPECT_EQ(message.substr(0, start.size()), start);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, allowed, message);
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
}

TEST(WholeNumbers, AreTakenFromOneToTheLargestSize) {
  EXPECT_EQ(parsed<std::uint64_t>("1"), 1U);
  EXPECT_EQ(parsed<Index>("46341"), 46341);
  EXPECT_EQ(parsed<std::uint64_t>("007"), 7U);
  EXPECT_EQ(parsed<Index>("4294967297"), 4294967297);
  EXPECT_EQ(parsed<std::uint64_t>("9223372036854775807"), kLargestWhole);
  EXPECT_EQ(parsed<int>("2147483647"), 2147483647);
}

TEST(WholeNumbers, AreNothingElse) {
  for (const char* const text : {"-1",
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
                                 "99999999999999999999999999"}) {
    expect_refused<std::uint64_t>(text, text, "a whole number from 1 to 2^63 - 1");
    expect_refused<Index>(text, text, "a whole number from 1 to 2^63 - 1");
  }
  expect_refused<int>("2147483648", "2147483648", "from 1 on");
}

TEST(Lists, TakeOneOrSeveral) {
  EXPECT_EQ(parsed<std::vector<int>>("2"), std::vector<int>{2});
  EXPECT_EQ(parsed<std::vector<int>>("1,2,3,4,1"), (std::vector<int>{1, 2, 3, 4, 1}));
  EXPECT_EQ(parsed<std::vector<double>>("3,-2.5"), (std::vector<double>{3.0, -2.5}));
}

TEST(Lists, AreRefusedWholeForAnyBadElement) {
  for (const char* const text :
       {"", ",", "1,,2", ",1", "1,", "0", "1,0", "1 ,2", "1, 2", "1;2", "1,2x", "1.5"}) {
    expect_refused<std::vector<std::uint64_t>>(
        text, text, "a whole number from 1 to 2^63 - 1, or several separated by commas");
  }
}

TEST(Lists, OfTextsAreQuotedAsInCsv) {
  using Texts = std::vector<std::string>;
  for (const auto& [text, texts] :
       std::vector<std::pair<std::string, Texts>>{{"a", {"a"}},
                                                  {"", {""}},
                                                  {"a,b", {"a", "b"}},
                                                  {"a,,", {"a", "", ""}},
                                                  {R"(a,"b,c","say ""hi""")", {"a", "b,c", "say \"hi\""}},
                                                  {R"("",a)", {"", "a"}},
                                                  {R"("",)", {"", ""}},
                                                  {R"("""",",")", {"\"", ","}},
                                                  {R"(5" x,a"b)", {"5\" x", "a\"b"}},
                                                  {"\"two\nlines\", b", {"two\nlines", " b"}}}) {
    EXPECT_EQ(parsed<Texts>(text), texts) << text;
  }
  for (const char* const text : {"\"", "\"a", "a,\"b,c", R"("a"b)", R"("a" ,b)",
                                 R"("""")"
                                 "\"",
                                 R"("a"")"}) {
    Texts kept = {"kept"};
    EXPECT_FALSE(options::read(text, kept)) << text;
    EXPECT_EQ(kept, Texts{"kept"}) << text;
    EXPECT_THROW(parsed<Texts>(text), std::invalid_argument) << text;
  }
}

TEST(Numbers, AreFiniteDecimals) {
  EXPECT_EQ(parsed<double>("3"), 3.0);
  EXPECT_EQ(parsed<double>("2.5"), 2.5);
  EXPECT_EQ(parsed<double>("-3"), -3.0);
  EXPECT_EQ(parsed<double>("0"), 0.0);
  EXPECT_EQ(parsed<double>("1e-6"), 1e-6);
  EXPECT_EQ(parsed<double>("1e308"), 1e308);
  EXPECT_EQ(parsed<double>(".5"), 0.5);
}

TEST(Numbers, AreNothingElse) {
  for (const char* const text :
       {"nan", "-nan", "NaN",  "inf", "-inf", "infinity", "1e400", "-1e400", "",      " 3",   "3 ",
        "+3",  "3x",   "0x10", "2,5", "1e",   "e5",       ".",     "--",     "three", "1.2.3"}) {
    expect_refused<double>(text, text, "a finite number");
  }
}

TEST(Choices, AreTakenAsTheyAreWritten) {
  EXPECT_EQ(parsed<Mixer>("swap"), Mixer::kSwap);
  EXPECT_EQ(parsed<std::optional<Mixer>>("mixing"), Mixer::kMixing);
  EXPECT_EQ(options::shown(Mixer::kIdentity), "identity");
}

TEST(Choices, ThatAreOthersListTheRightOnes) {
  for (const char* const text : {"Swap", "", "swa", "mixing "}) {
    expect_refused<Mixer>(text, text, "one of mixing, identity, swap");
  }
  expect_refused<Mixer>("identiy", "identiy", "did you mean 'identity'?");
}

TEST(Values, AMessageStaysOneLineWhateverWasTyped) {
  expect_refused<Index>("4\n5", "4\\x0a5", "from 1 to");
  expect_refused<double>("\x1b[31m", "\\x1b[31m", "a finite number");
}

}  // namespace
}  // namespace mha::test
