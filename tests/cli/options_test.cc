#include "cli/options.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/refusal.h"

namespace mha::test {
namespace {

/// One option of every kind.
struct EveryKind {
  EveryKind() : options("mha test", "What it does.", {"mha test", "mha test --T 3"}) {
    options.whole("--T", T, "N", "tokens");
    options.whole("--d-model", d_model, "N", "width");
    options.wholes(
        "--heads", heads, [] { return 4; }, "which heads");
    options.wholes("--H-big", H_big, "head counts");
    options.wholes("--H", H, "more head counts");
    options.number("--gain", gain, "G", "magnitude");
    options.choice("--wo", wo, {"mixing", "swap"}, "projection");
    options.path("--out", out, "DIR", "where to");
    options.flag("--bias", bias, "count biases");
    options.words("SCRIPT", scripts, {"one", "two"}, "which scripts");
  }

  bool read(const std::vector<std::string>& arguments) { return options.read(arguments); }

  Index T = 6;
  std::optional<std::uint64_t> d_model;
  std::vector<int> heads = {1, 2};
  std::vector<std::uint64_t> H_big = {8};
  std::optional<std::vector<std::uint64_t>> H;
  double gain = 3.0;
  std::string wo = "mixing";
  std::string out;
  bool bias = false;
  std::vector<std::string> scripts;
  cli::Options options;
};

std::string refused(const std::vector<std::string>& arguments) {
  return refusal<std::invalid_argument>([&] { EveryKind().read(arguments); });
}

TEST(Options, LeaveTheDefaultsWhenNothingIsGiven) {
  EveryKind chosen;
  EXPECT_TRUE(chosen.read({}));
  EXPECT_EQ(chosen.T, 6);
  EXPECT_EQ(chosen.d_model, std::nullopt);
  EXPECT_EQ(chosen.heads, (std::vector{1, 2}));
  EXPECT_EQ(chosen.gain, 3.0);
  EXPECT_EQ(chosen.wo, "mixing");
  EXPECT_FALSE(chosen.bias);
  EXPECT_TRUE(chosen.scripts.empty());
}

TEST(Options, SetTheirVariables) {
  EveryKind chosen;
  EXPECT_TRUE(chosen.read({"one", "--T", "9", "--d-model", "512", "--heads", "4,4,1", "--H-big", "1,16",
                           "--H", "2", "--gain", "-2.5", "two", "--wo", "swap", "--bias"}));
  EXPECT_EQ(chosen.T, 9);
  EXPECT_EQ(chosen.d_model, 512U);
  EXPECT_EQ(chosen.heads, (std::vector{4, 4, 1}));
  EXPECT_EQ(chosen.H_big, (std::vector<std::uint64_t>{1, 16}));
  EXPECT_EQ(chosen.H, (std::vector<std::uint64_t>{2}));
  EXPECT_EQ(chosen.gain, -2.5);
  EXPECT_EQ(chosen.wo, "swap");
  EXPECT_TRUE(chosen.bias);
  EXPECT_EQ(chosen.scripts, (std::vector<std::string>{"one", "two"}));
}

TEST(Options, TakeAValueAfterAnEqualsSign) {
  EveryKind chosen;
  EXPECT_TRUE(chosen.read({"--T=4", "--gain=1e-6", "--heads=1,2", "--wo=swap"}));
  EXPECT_EQ(chosen.T, 4);
  EXPECT_EQ(chosen.gain, 1e-6);
  EXPECT_EQ(chosen.heads, (std::vector{1, 2}));
  EXPECT_EQ(chosen.wo, "swap");
}

TEST(Options, NameAnOptionThatLacksItsValue) {
  EXPECT_EQ(refused({"--T"}), "--T: a value is missing");
  EXPECT_EQ(refused({"--T="}), "--T: a value is missing");
  EXPECT_EQ(refused({"one", "--gain"}), "--gain: a value is missing");
  EXPECT_EQ(refused({"--T", "--gain", "3"}), "--T: a value is missing before '--gain'");
  EXPECT_EQ(refused({"--out", "--bias"}), "--out: a value is missing before '--bias'");
  EXPECT_EQ(refused({"--out=--bias"}), "--out: a value is missing before '--bias'");
  EXPECT_EQ(refused({"--out=", "--bias"}), "--out: a value is missing");
  EXPECT_EQ(refused({"--T=", "4"}), "--T: a value is missing");
}

TEST(Options, MayBeGivenOnce) {
  EXPECT_EQ(refused({"--T", "4", "--T", "5"}), "--T: given 2 times, with '4' and '5'; give it once");
  EXPECT_EQ(refused({"--heads=1", "--T", "2", "--heads", "2"}),
            "--heads: given 2 times, with '1' and '2'; give it once");
}

TEST(Options, RefuseAnEmptyOrBadValueNamingTheOption) {
  EXPECT_EQ(refused({"--T", ""}).rfind("--T: '' is not ", 0), 0U);
  EXPECT_EQ(refused({"--T", "-1"}).rfind("--T: '-1' is not ", 0), 0U);
  EXPECT_EQ(refused({"--gain", "-inf"}).rfind("--gain: '-inf' is not ", 0), 0U);
  EXPECT_EQ(refused({"--heads", "5"}).rfind("--heads: '5' is not a whole number from 1 to 4", 0), 0U);
  EXPECT_EQ(refused({"--wo", "twist"}), "--wo: 'twist' is not one of mixing, swap");
  EXPECT_EQ(refused({"three"}), "SCRIPT: 'three' is not one of one, two");
}

TEST(Options, ThatAreFlagsTakeNoValue) {
  EXPECT_EQ(refused({"--bias=7"}), "--bias: takes no value");
  EXPECT_EQ(refused({"--bias=false"}), "--bias: takes no value");
  EXPECT_EQ(refused({"--help=1"}), "--help: takes no value");
  EXPECT_EQ(refused({"--bias=true"}), "--bias: takes no value");
  EXPECT_EQ(refused({"--bias="}), "--bias: takes no value");
}

TEST(Options, ThatAreUnknownAreRefusedWithASuggestion) {
  EXPECT_EQ(refused({"--gian", "3"}), "unknown option '--gian'; did you mean '--gain'?");
  EXPECT_EQ(refused({"--gian=3"}), "unknown option '--gian'; did you mean '--gain'?");
  EXPECT_EQ(refused({"-T"}), "unknown option '-T'; did you mean '--T'?");
  EXPECT_EQ(refused({"--hepl"}), "unknown option '--hepl'; did you mean '--help'?");
  EXPECT_EQ(refused({"--frobnicate"}), "unknown option '--frobnicate'; mha test --help lists the options");
  EXPECT_EQ(refused({"--a\nb"}).find('\n'), std::string::npos);
}

TEST(Options, RefuseAWordThatBelongsToNone) {
  cli::Options options("mha test", "What it does.", {});
  const std::string message = refusal<std::invalid_argument>([&] { options.read({"extra"}); });
  EXPECT_EQ(message, "unexpected argument 'extra'; mha test --help lists the options");
}

TEST(Options, AskedForHelpSetNothing) {
  EveryKind chosen;
  EXPECT_FALSE(chosen.read({"--T", "0", "--bias", "--help"}));
  EXPECT_EQ(chosen.T, 6);
  EXPECT_FALSE(chosen.bias);
  EXPECT_FALSE(EveryKind().read({"-h"}));
}

TEST(Options, DescribeThemselvesInHelp) {
  const std::string help = EveryKind().options.help();
  for (const char* const part :
       {"Usage: mha test [SCRIPT…] [options]\n", "What it does.", "--T N", "tokens (default: 6)",
        "--d-model N", "--heads LIST", "which heads (default: 1,2)", "--H-big LIST", "--gain G",
        "magnitude (default: 3)", "--wo NAME", "projection: mixing, swap (default: mixing)", "--bias",
        "count biases", "--help", "which scripts", "\nExamples:\n  mha test\n  mha test --T 3\n"}) {
    EXPECT_PRED_FORMAT2(testing::IsSubstring, part, help);
  }
}

}  // namespace
}  // namespace mha::test
