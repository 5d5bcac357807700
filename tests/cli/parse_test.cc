#include "cli/parse.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/help.h"
#include "tests/support/refusal.h"

namespace mha::test {
namespace {

enum class Mixer { kMixing, kSwap };
constexpr std::array kMixerNames = {"mixing", "swap"};
constexpr text::Names names_of(Mixer) { return kMixerNames; }

/// One option of every kind.
struct EveryKind {
  EveryKind() {
    options.input_file("--input", input, "a file").with_input(options::Input::kItself);
    options.add("--layer", layer, "N", "a layer of it").with_input(options::Input::kRequires);
    options.add("--T", T, "N", "tokens");
    options.add("--d-model", d_model, "N", "width");
    options.add("--heads", heads, "LIST", "which heads");
    options.add("--gain", gain, "G", "magnitude").with_input(options::Input::kExcludes);
    options.choice("--wo", wo, "projection");
    options.output("--out", out, options::Kind::kDirectory, "where to").only_shows();
    options.flag("--bias", bias, "count biases");
    options
        .positional("script", "SCRIPT", {"one", "two"}, "which scripts",
                    [this](std::size_t script) { scripts.push_back(script); })
        .repeats = true;
  }

  /// False when help was asked for.
  bool read(const std::vector<std::string>& arguments) {
    given = cli::parse("test", options, arguments);
    return given.has_value();
  }

  std::string input;
  std::optional<Index> layer;
  Index T = 6;
  std::optional<std::uint64_t> d_model;
  std::vector<int> heads = {1, 2};
  double gain = 3.0;
  Mixer wo = Mixer::kMixing;
  std::string out;
  bool bias = false;
  std::vector<std::size_t> scripts;
  options::Options options;
  std::optional<std::vector<cli::Given>> given;
};

std::string refused_options(const std::vector<std::string>& arguments) {
  return refusal<std::invalid_argument>([&] { EveryKind().read(arguments); });
}

TEST(Options, LeaveTheDefaultsWhenNothingIsGiven) {
  EveryKind chosen;
  EXPECT_TRUE(chosen.read({}));
  EXPECT_EQ(chosen.T, 6);
  EXPECT_EQ(chosen.d_model, std::nullopt);
  EXPECT_EQ(chosen.heads, (std::vector{1, 2}));
  EXPECT_EQ(chosen.gain, 3.0);
  EXPECT_EQ(chosen.wo, Mixer::kMixing);
  EXPECT_FALSE(chosen.bias);
  EXPECT_TRUE(chosen.scripts.empty());
}

TEST(Options, SetTheirVariables) {
  EveryKind chosen;
  EXPECT_TRUE(chosen.read({"one", "--T", "9", "--d-model", "512", "--heads", "4,4,1", "--gain", "-2.5", "two",
                           "--wo", "swap", "--bias"}));
  EXPECT_EQ(chosen.T, 9);
  EXPECT_EQ(chosen.d_model, 512U);
  EXPECT_EQ(chosen.heads, (std::vector{4, 4, 1}));
  EXPECT_EQ(chosen.gain, -2.5);
  EXPECT_EQ(chosen.wo, Mixer::kSwap);
  EXPECT_TRUE(chosen.bias);
  EXPECT_EQ(chosen.scripts, (std::vector<std::size_t>{0, 1}));
}

TEST(Options, TakeAValueAfterAnEqualsSign) {
  EveryKind chosen;
  EXPECT_TRUE(chosen.read({"--T=4", "--gain=1e-6", "--heads=1,2", "--wo=swap"}));
  EXPECT_EQ(chosen.T, 4);
  EXPECT_EQ(chosen.gain, 1e-6);
  EXPECT_EQ(chosen.heads, (std::vector{1, 2}));
  EXPECT_EQ(chosen.wo, Mixer::kSwap);
}

TEST(Options, NameAnOptionThatLacksItsValue) {
  EXPECT_EQ(refused_options({"--T"}), "--T: a value is missing");
  EXPECT_EQ(refused_options({"--T="}), "--T: a value is missing");
  EXPECT_EQ(refused_options({"one", "--gain"}), "--gain: a value is missing");
  EXPECT_EQ(refused_options({"--T", "--gain", "3"}), "--T: a value is missing before '--gain'");
  EXPECT_EQ(refused_options({"--out", "--bias"}), "--out: a value is missing before '--bias'");
  EXPECT_EQ(refused_options({"--out=--bias"}), "--out: a value is missing before '--bias'");
  EXPECT_EQ(refused_options({"--out=", "--bias"}), "--out: a value is missing");
  EXPECT_EQ(refused_options({"--T=", "4"}), "--T: a value is missing");
}

TEST(Options, MayBeGivenOnce) {
  EXPECT_EQ(refused_options({"--T", "4", "--T", "5"}), "--T: given 2 times, with '4' and '5'; give it once");
  EXPECT_EQ(refused_options({"--heads=1", "--T", "2", "--heads", "2"}),
            "--heads: given 2 times, with '1' and '2'; give it once");
}

TEST(Options, RefuseAnEmptyOrBadValueNamingTheOption) {
  EXPECT_EQ(refused_options({"--T", ""}).rfind("--T: '' is not ", 0), 0U);
  EXPECT_EQ(refused_options({"--T", "-1"}).rfind("--T: '-1' is not ", 0), 0U);
  EXPECT_EQ(refused_options({"--gain", "-inf"}).rfind("--gain: '-inf' is not ", 0), 0U);
  EXPECT_EQ(refused_options({"--wo", "twist"}), "--wo: 'twist' is not one of mixing, swap");
  EXPECT_EQ(refused_options({"three"}), "script 'three': not one of one, two");
}

TEST(Options, ThatAreFlagsTakeNoValue) {
  EXPECT_EQ(refused_options({"--bias=7"}), "--bias: takes no value");
  EXPECT_EQ(refused_options({"--bias=false"}), "--bias: takes no value");
  EXPECT_EQ(refused_options({"--help=1"}), "--help: takes no value");
  EXPECT_EQ(refused_options({"--bias=true"}), "--bias: takes no value");
  EXPECT_EQ(refused_options({"--bias="}), "--bias: takes no value");
}

TEST(Options, ThatAreUnknownAreRefusedWithASuggestion) {
  EXPECT_EQ(refused_options({"--gian", "3"}), "unknown option '--gian'; did you mean '--gain'?");
  EXPECT_EQ(refused_options({"--gian=3"}), "unknown option '--gian'; did you mean '--gain'?");
  EXPECT_EQ(refused_options({"-T"}), "unknown option '-T'; did you mean '--T'?");
  EXPECT_EQ(refused_options({"--hepl"}), "unknown option '--hepl'; did you mean '--help'?");
  EXPECT_EQ(refused_options({"--frobnicate"}),
            "unknown option '--frobnicate'; mha test --help lists the options");
  EXPECT_EQ(refused_options({"--a\nb"}).find('\n'), std::string::npos);
}

TEST(Options, RefuseAnArgumentThatBelongsToNone) {
  const std::string message =
      refusal<std::invalid_argument>([] { cli::parse("test", options::Options(), {"extra"}); });
  EXPECT_EQ(message, "unexpected argument 'extra'; mha test --help lists the options");
}

TEST(Options, OfAFileNeedItAndThoseOfTheLessonExcludeIt) {
  EXPECT_EQ(refused_options({"--layer", "2"}), "--layer requires --input");
  EXPECT_EQ(refused_options({"--gain", "2", "--input", "a"}),
            "--gain: is for the lesson's heads, not with --input");
  EveryKind chosen;
  EXPECT_TRUE(chosen.read({"--layer", "2", "--input", "a"}));
}

TEST(Options, AreWrittenAsAShellReadsThemAgain) {
  EveryKind chosen;
  ASSERT_TRUE(chosen.read({"--out", "d", "--T=4", "two", "--input", "a b", "--bias", "--layer", "3"}));
  EXPECT_EQ(cli::command_line(*chosen.given), "two --input 'a b' --layer 3 --T 4 --bias");
  EXPECT_EQ(cli::input_options(*chosen.given), "--input 'a b' --layer 3");
}

TEST(Options, AskedForHelpSetNothing) {
  EveryKind chosen;
  EXPECT_FALSE(chosen.read({"--T", "0", "--bias", "--help"}));
  EXPECT_EQ(chosen.T, 6);
  EXPECT_FALSE(chosen.bias);
  EXPECT_FALSE(EveryKind().read({"-h"}));
}

TEST(Options, DescribeThemselvesInHelp) {
  static constexpr std::array kExamples = {"mha test", "mha test --T 3"};
  const EveryKind every;
  const std::string help =
      cli::command_help({"test", "", "What it does.", kExamples, false, nullptr}, every.options.all());
  for (const char* const part :
       {"Usage: mha test [SCRIPT…] [options]\n", "What it does.", "--T N", "tokens (default: 6)",
        "--d-model N", "--heads LIST", "which heads (default: 1,2)", "--gain G", "magnitude (default: 3)",
        "--wo NAME", "projection: mixing, swap (default: mixing)", "--bias", "count biases", "--help",
        "which scripts", "\nExamples:\n  mha test\n  mha test --T 3\n"}) {
    EXPECT_PRED_FORMAT2(testing::IsSubstring, part, help);
  }
}

}  // namespace
}  // namespace mha::test
