#include "text/did_you_mean.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "text/quote.h"

namespace mha::test {
namespace {

using text::did_you_mean;
using text::in_quotes;

const std::vector<std::string> kCommands = {"weights", "concat", "params", "filterbank",
                                            "entropy", "rank",   "run",    "verify"};
const std::vector<std::string> kOptions = {"--T", "--gain", "--heads", "--format", "--full", "--help"};

std::string suggesting(const std::string& word) { return "; did you mean '" + word + "'?"; }

TEST(DidYouMean, FindsAWordASlipOrTwoAway) {
  EXPECT_EQ(did_you_mean("weight", kCommands), suggesting("weights"));    // dropped
  EXPECT_EQ(did_you_mean("weightss", kCommands), suggesting("weights"));  // doubled
  EXPECT_EQ(did_you_mean("wieghts", kCommands), suggesting("weights"));   // swapped
  EXPECT_EQ(did_you_mean("entrupy", kCommands), suggesting("entropy"));   // changed
  EXPECT_EQ(did_you_mean("filterbnak", kCommands), suggesting("filterbank"));
  EXPECT_EQ(did_you_mean("consat", kCommands), suggesting("concat"));
  EXPECT_EQ(did_you_mean("CONCAT", kCommands), suggesting("concat"));  // case does not count
  EXPECT_EQ(did_you_mean("vrefiy", kCommands), suggesting("verify"));  // two slips
}

TEST(DidYouMean, FindsAnOptionWhateverItsDashes) {
  EXPECT_EQ(did_you_mean("-T", kOptions), suggesting("--T"));
  EXPECT_EQ(did_you_mean("--t", kOptions), suggesting("--T"));
  EXPECT_EQ(did_you_mean("--gian", kOptions), suggesting("--gain"));
  EXPECT_EQ(did_you_mean("--head", kOptions), suggesting("--heads"));
  EXPECT_EQ(did_you_mean("help", kOptions), suggesting("--help"));
}

TEST(DidYouMean, PrefersTheNearest) {
  EXPECT_EQ(did_you_mean("rank", {"rink", "rank"}), suggesting("rank"));
  EXPECT_EQ(did_you_mean("ranc", {"ruin", "rank", "run"}), suggesting("rank"));
}

TEST(DidYouMean, SaysNothingOfAWordThatIsLikeNone) {
  for (const char* const word : {"", "-", "--", "x", "--Q", "frobnicate", "attention", "rx"}) {
    EXPECT_EQ(did_you_mean(word, kCommands), "") << word;
  }
  EXPECT_EQ(did_you_mean("weights", {}), "");
}

TEST(DidYouMean, SaysNothingOfAVeryLongWord) {
  EXPECT_EQ(did_you_mean(std::string(1'000'000, 'a'), {std::string(1'000'000, 'a')}), "");
}

TEST(InQuotes, ShowsPrintableTextAsItIs) {
  EXPECT_EQ(in_quotes("4x"), "'4x'");
  EXPECT_EQ(in_quotes(""), "''");
  EXPECT_EQ(in_quotes("é日本😀"), "'é日本😀'");
}

TEST(QuotedKey, StandsBetweenDoubleQuotesAndIsCutSooner) {
  EXPECT_EQ(text::quoted_key("h.0 x/é"), "\"h.0 x/é\"");
  EXPECT_EQ(text::quoted_key("a\n\xff"), "\"a\\x0a\\xff\"");
  EXPECT_EQ(text::quoted_key(std::string(41, 'a')), "\"" + std::string(40, 'a') + "…\"");
}

TEST(InQuotes, ShowsWhatATerminalWouldObeyOrChokeOnAsNumbers) {
  EXPECT_EQ(in_quotes("a\nb"), "'a\\x0ab'");
  EXPECT_EQ(in_quotes("\x1b[31m"), "'\\x1b[31m'");
  EXPECT_EQ(in_quotes("\x7f"), "'\\x7f'");
  EXPECT_EQ(in_quotes("\xc2\x9b"
                      "31m"),
            "'\\xc2\\x9b"
            "31m'");                                          // the same, as one character
  EXPECT_EQ(in_quotes("\xe2\x80\xae"), "'\\xe2\\x80\\xae'");  // what follows would run leftwards
  EXPECT_EQ(in_quotes("\xff"), "'\\xff'");
  EXPECT_EQ(in_quotes("\xc0\xaf"), "'\\xc0\\xaf'");  // an overlong form
  EXPECT_EQ(in_quotes("\xe6\x97"), "'\\xe6\\x97'");  // a character cut short
}

TEST(InQuotes, CutsAVeryLongTextBetweenCharacters) {
  EXPECT_EQ(in_quotes(std::string(1000, 'a')), "'" + std::string(80, 'a') + "…'");
  EXPECT_EQ(in_quotes(std::string(80, 'a')), "'" + std::string(80, 'a') + "'");
  EXPECT_EQ(in_quotes(std::string(79, 'a') + "éé"), "'" + std::string(79, 'a') + "é…'");
}

}  // namespace
}  // namespace mha::test
