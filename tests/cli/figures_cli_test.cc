#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/figures.h"
#include "tests/support/process.h"
#include "tests/support/temporary_directory.h"

namespace mha::test {
namespace {

namespace fs = std::filesystem;

/// A directory of its own for each test, gone afterwards.
class FiguresCli : public testing::Test {
 protected:
  [[nodiscard]] std::string in(const std::string& name) const { return directory_.in(name); }

  static std::vector<std::string> names_in(const std::string& directory) {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(directory)) names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
  }

  TemporaryDirectory directory_;
};

std::size_t escapes(const Outcome& outcome) {
  return static_cast<std::size_t>(std::count(outcome.out.begin(), outcome.out.end(), '\x1b'));
}

const std::map<std::string, std::string> kTerminal = {{"TERM", "xterm-256color"}, {"COLORTERM", ""}};

std::map<std::string, std::string> terminal_with(const std::string& name, const std::string& value) {
  std::map<std::string, std::string> environment = kTerminal;
  environment[name] = value;
  return environment;
}

TEST_F(FiguresCli, EveryCommandWritesItsFigures) {
  const std::map<std::string, std::vector<std::string>> expected = {
      {"weights", {"impulse_responses.svg", "multi_head_weights.svg"}},
      {"concat", {"head_concatenation.svg"}},
      {"params", {"packed_wq.svg"}},
      {"entropy", {"row_entropies.svg"}},
      {"filterbank", {"filter_bank.svg"}},
      {"filterbank --wo all", {"filter_bank.svg"}},
      {"rank", {"score_ranks.svg"}},
      {"run",
       {"filter_bank.svg", "head_concatenation.svg", "impulse_responses.svg", "multi_head_weights.svg",
        "packed_wq.svg", "row_entropies.svg", "score_ranks.svg"}},
      {"run head_concatenation", {"head_concatenation.svg", "packed_wq.svg"}}};
  for (const auto& [command, names] : expected) {
    SCOPED_TRACE(command);
    const std::string place = in("a/deep/" + command);
    const Outcome plain = shell("mha " + command);
    const Outcome outcome = shell("mha " + command + " --svg '" + place + "'");
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.out, plain.out);
    ASSERT_EQ(names_in(place), names);
    for (const std::string& name : names) {
      EXPECT_NE(outcome.err.find("mha: wrote " + place + "/" + name + "\n"), std::string::npos)
          << outcome.err;
      EXPECT_NO_THROW(parse_xml(contents(place + "/" + name))) << name;
    }
  }
}

TEST_F(FiguresCli, AFigureIsReplacedAndReadableByOthers) {
  std::ofstream(in("packed_wq.svg")) << "old";
  EXPECT_EQ(shell("umask 022; mha params --svg " + in("")).status, 0);
  EXPECT_EQ(contents(in("packed_wq.svg")).substr(0, 4), "<svg");
  struct stat status {};
  ASSERT_EQ(::stat(in("packed_wq.svg").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0644U);
}

TEST_F(FiguresCli, ADirectoryThatCannotBeMadeIsNamed) {
  std::ofstream(in("file")) << "a file";
  for (const std::string& place : {in("file"), in("file/below"), std::string("/proc/mha")}) {
    const Outcome outcome = shell("mha weights --svg '" + place + "'");
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err.find("mha: --svg: "), std::string::npos);
    EXPECT_NE(outcome.err.find(place), std::string::npos) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  }
}

TEST_F(FiguresCli, APathIsNamedOnOneLineWhateverItHolds) {
  const std::string place = in("a\x1b[31m\nb");
  const Outcome outcome = shell("mha params --svg '" + place + "'");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_TRUE(fs::exists(place + "/packed_wq.svg"));
  EXPECT_EQ(outcome.err, "mha: wrote " + in("a\\x1b[31m\\x0ab") + "/packed_wq.svg\n");
}

TEST_F(FiguresCli, AFileThatCannotBeWrittenLeavesNothingBehind) {
  // A limit on file size stands for a full disk; a directory in a file's place cannot be replaced.
  const Outcome full = shell("trap '' XFSZ; ulimit -f 1; mha weights --svg " + in("full"));
  EXPECT_EQ(full.status, 1);
  EXPECT_NE(full.err.find("multi_head_weights.svg"), std::string::npos) << full.err;
  EXPECT_EQ(names_in(in("full")), std::vector<std::string>{});

  fs::create_directories(in("taken/packed_wq.svg"));
  const Outcome taken = shell("mha params --svg " + in("taken"));
  EXPECT_EQ(taken.status, 1);
  EXPECT_EQ(names_in(in("taken")), std::vector<std::string>{"packed_wq.svg"});
}

TEST_F(FiguresCli, NeverTakeThePlaceOfStandardOutputOrAPipe) {
  const Outcome outcome = shell("mha params --svg . > packed_wq.svg", {}, in(""));
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.err, "mha: --svg: cannot write './packed_wq.svg': standard output goes there\n");
  EXPECT_EQ(contents(in("packed_wq.svg")), "");

  fs::create_directory(in("pipes"));
  ASSERT_EQ(::mkfifo(in("pipes/packed_wq.svg").c_str(), 0600), 0);
  const Outcome pipe = shell("mha params --svg " + in("pipes"));
  EXPECT_EQ(pipe.status, 1);
  EXPECT_NE(pipe.err.find("it is not a regular file"), std::string::npos) << pipe.err;
  EXPECT_TRUE(fs::is_fifo(in("pipes/packed_wq.svg")));
}

TEST_F(FiguresCli, ALinkStaysAndWhatItLeadsToIsWritten) {
  fs::create_directory(in("elsewhere"));
  fs::create_symlink("elsewhere/one.svg", in("packed_wq.svg"));
  for (const char* file : {"not there yet", "replaced"}) {
    EXPECT_EQ(shell("mha params --svg " + in("")).status, 0) << file;
    EXPECT_TRUE(fs::is_symlink(in("packed_wq.svg"))) << file;
    EXPECT_EQ(contents(in("elsewhere/one.svg")).substr(0, 4), "<svg") << file;
    std::ofstream(in("elsewhere/one.svg")) << "old";
  }
  fs::create_symlink("head_concatenation.svg", in("head_concatenation.svg"));
  const Outcome round = shell("mha concat --svg " + in(""));
  EXPECT_EQ(round.status, 1);
  EXPECT_NE(round.err.find("head_concatenation.svg': Too many levels"), std::string::npos) << round.err;
}

TEST_F(FiguresCli, WhatIsInTheWayOfOneIsSeenBeforeAnyIsWritten) {
  fs::create_directory(in("impulse_responses.svg"));
  EXPECT_EQ(shell("mha weights --svg " + in("")).status, 1);
  EXPECT_EQ(names_in(in("")), std::vector<std::string>{"impulse_responses.svg"});
}

TEST_F(FiguresCli, APageDoesNotTakeThePlaceOfAFigureOfTheSameRun) {
  for (const std::string& page : {in("x/packed_wq.svg"), in("x/./packed_wq.svg")}) {
    const Outcome outcome = shell("mha params --svg " + in("x") + " --html " + page);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.err, "mha: --html: '" + page + "' is a figure of --svg; take another name\n");
    EXPECT_FALSE(fs::exists(in("x")));
  }
  EXPECT_EQ(shell("mha params --svg " + in("x") + " --html " + in("x/packed_wq.html")).status, 0);
}

TEST_F(FiguresCli, LinksDoNotMakeOneFileOfTwo) {
  fs::create_symlink("a", in("multi_head_weights.svg"));
  fs::create_symlink("a", in("impulse_responses.svg"));
  const Outcome figures = shell("mha weights --svg " + in(""));
  EXPECT_EQ(figures.status, 2);
  EXPECT_NE(figures.err.find("lead to one file"), std::string::npos) << figures.err;
  fs::remove(in("impulse_responses.svg"));
  const Outcome page = shell("mha weights --svg " + in("") + " --html " + in("a"));
  EXPECT_EQ(page.status, 2);
  EXPECT_NE(page.err.find("is a figure of --svg"), std::string::npos) << page.err;
  EXPECT_FALSE(fs::exists(in("a")));
}

TEST_F(FiguresCli, NoneTakesThePlaceOfAFileThatIsRead) {
  const std::string own = MHA_SOURCE_DIR "/lessons/09-multi-head-attention/own-heads/four-heads.json";
  for (const std::string figure : {"filter_distances.svg", "inspected_heads.svg"}) {
    fs::copy_file(own, in(figure));
    const Outcome outcome = shell("mha inspect --input " + in(figure) + " --svg " + in("."));
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.err,
              "mha: --svg: '" + in("./" + figure) + "' is the file of --input; take another name\n");
    EXPECT_EQ(contents(in(figure)), contents(own));
    EXPECT_EQ(names_in(in("")), std::vector<std::string>{figure});
    fs::remove(in(figure));
  }
}

TEST_F(FiguresCli, ARunDoesNotReplaceWhatItsStandardInputComesFrom) {
  const Outcome outcome = shell("mha exercise 4 --template > " + in("a.json") +
                                "; mha exercise 4 --check - --html " + in("a.json") + " < " + in("a.json"));
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("standard input comes from there"), std::string::npos) << outcome.err;
  EXPECT_EQ(contents(in("a.json")).front(), '{');
}

TEST_F(FiguresCli, SizesThatAreRefusedLeaveNoFiles) {
  for (const char* sizes :
       {"--d-model 2 --H 8", "--d-model 10 --H 3", "--d-model 1600 --H 48", "--H 0", "--d-model 0 --H 2"}) {
    const std::string command = "mha params " + std::string(sizes);
    for (const std::string& output : {" --svg " + in("x"), " --html " + in("page")}) {
      const Outcome outcome = shell(command + output);
      EXPECT_EQ(outcome.status, 2) << command << output;
      EXPECT_EQ(outcome.out, "") << command << output;
    }
  }
  EXPECT_EQ(names_in(in("")), std::vector<std::string>{});
}

TEST_F(FiguresCli, FlatWeightsOfAFileAreDrawnPlainly) {
  const std::string third = "[0.333333333333333333, 0.333333333333333333, 0.333333333333333333]";
  std::ofstream(in("flat.json")) << R"({"A": [)" << third << ", " << third << ", " << third << "]}";
  const Outcome outcome =
      shell("mha weights --mask none --plot --input " + in("flat.json") + " --svg " + in("x"));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  for (const char* row : {"t1 ▒0.33▒▒0.33▒▒0.33▒\n", "t2 ▒0.33▒▒0.33▒▒0.33▒\n", "t3 ▒0.33▒▒0.33▒▒0.33▒\n"})
    EXPECT_NE(outcome.out.find(row), std::string::npos) << outcome.out;
  EXPECT_EQ(fills(parse_xml(contents(in("x/multi_head_weights.svg"))), "cells"),
            std::vector<render::Rgb>(9, render::viridis(1.0 / 3.0)));
}

TEST_F(FiguresCli, AnyTokenIsValidXmlAndReadsBack) {
  std::ofstream(in("heads.json"))
      << R"({"A": [[1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0],
                   [0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 1]],
             "tokens": ["<s>", "R&D", "a\"b'c", "]]>", "é日本", "a\u0007b"]})";
  const auto labels = [&](const std::string& options) {
    const Outcome outcome = shell("mha weights --input " + in("heads.json") + options + " --svg " + in("x"));
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return texts(parse_xml(contents(in("x/multi_head_weights.svg"))));
  };
  const auto expect_both_sides = [](const std::vector<std::string>& found, const std::string& label) {
    EXPECT_EQ(std::count(found.begin(), found.end(), label), 2) << label;
  };
  const std::vector<std::string> from_file = labels("");
  for (const char* label : {"<s>", "R&D", "a\"b'c", "]]>", "é日本", "a\uFFFDb"})
    expect_both_sides(from_file, label);
  const std::vector<std::string> given =
      labels(" --tokens \"$(printf '</text>,&lt;,a\\377b,\\033[31m,\\342\\200\\256x,%s' '\"\"\"\"')\"");
  for (const char* label : {"</text>", "&lt;", "a\uFFFDb", "\uFFFD[31m", "\uFFFDx", "\""})
    expect_both_sides(given, label);
}

TEST_F(FiguresCli, StandardOutputThatCannotBeWrittenIsStillAnError) {
  EXPECT_EQ(shell("mha weights --svg " + in("x") + " > /dev/full").status, 1);
  EXPECT_EQ(shell("mha weights --svg " + in("x") + " >&-").status, 1);
}

TEST_F(FiguresCli, RequestsThatMakeNoSenseAreRefused) {
  const std::vector<std::string> requests = {"weights --svg ''",
                                             "weights --svg -",
                                             "weights --plot --format json",
                                             "params --d-model 8 --svg " + in("x"),
                                             "params --H 4 --plot",
                                             "verify --svg x",
                                             "weights --color sometimes"};
  for (const std::string& arguments : requests) {
    const Outcome outcome = shell("mha " + arguments);
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_EQ(outcome.out, "") << arguments;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  }
  EXPECT_FALSE(fs::exists(in("x")));
}

TEST_F(FiguresCli, PlotFollowsTheText) {
  const Outcome plain = shell("mha entropy");
  const Outcome plotted = shell("mha entropy --plot");
  EXPECT_EQ(plotted.out.substr(0, plain.out.size()), plain.out);
  EXPECT_NE(plotted.out.find("ceiling log₂ t"), std::string::npos);
  EXPECT_EQ(plotted.err, "");
}

TEST(PlotColors, AreForTerminalsOnly) {
  EXPECT_EQ(escapes(shell("mha weights --plot", kTerminal)), 0U);
  EXPECT_GT(escapes(on_terminal("mha weights --plot", kTerminal)), 0U);
  EXPECT_EQ(escapes(on_terminal("mha weights", kTerminal)), 0U);
}

TEST(PlotColors, ObeyNoColorUnlessItIsEmpty) {
  EXPECT_EQ(escapes(on_terminal("mha weights --plot", terminal_with("NO_COLOR", "1"))), 0U);
  EXPECT_GT(escapes(on_terminal("mha weights --plot", terminal_with("NO_COLOR", ""))), 0U);
}

TEST(PlotColors, ObeyADumbTerminal) {
  EXPECT_EQ(escapes(on_terminal("mha weights --plot", terminal_with("TERM", "dumb"))), 0U);
  EXPECT_EQ(escapes(on_terminal("mha weights --plot", terminal_with("TERM", ""))), 0U);
}

TEST(PlotColors, TheOptionBeatsTheEnvironment) {
  EXPECT_GT(escapes(shell("mha weights --plot --color always", {{"NO_COLOR", "1"}, {"TERM", "dumb"}})), 0U);
  EXPECT_EQ(escapes(on_terminal("mha weights --plot --color never", kTerminal)), 0U);
}

TEST(PlotColors, AreAsDeepAsTheTerminalSays) {
  const Outcome few = on_terminal("mha weights --plot", kTerminal);
  EXPECT_NE(few.out.find(";48;5;"), std::string::npos);
  EXPECT_EQ(few.out.find(";48;2;"), std::string::npos);
  const Outcome all = on_terminal("mha weights --plot", terminal_with("COLORTERM", "truecolor"));
  EXPECT_NE(all.out.find(";48;2;"), std::string::npos);
}

TEST(PlotColors, NeverReachJson) {
  const Outcome outcome = on_terminal("mha weights --format json --color always", kTerminal);
  EXPECT_EQ(escapes(outcome), 0U);
  EXPECT_TRUE(nlohmann::json::accept(outcome.out));
}

TEST(PlotWidth, IsTheTerminals) {
  const auto side_by_side = [](int columns) {
    return on_terminal("mha weights --plot --color never", kTerminal, columns).out.find("first token   ") !=
           std::string::npos;
  };
  EXPECT_TRUE(side_by_side(80));
  EXPECT_FALSE(side_by_side(60));
}

TEST(FigureFiles, LeaveNothingHalfDoneWhenInterrupted) {
  const Outcome left = shell(
      "d=$(mktemp -d); for i in 1 2 3 4 5 6 7 8 9; do timeout -s INT 0.00$i mha run --svg $d > /dev/null 2>&1; "
      "for f in $d/*.svg; do test ! -e $f || tail -n 1 $f | grep -qx '</svg>' || echo half $f; done; done; "
      "mha run --svg $d > /dev/null 2>&1; find $d -name '.*' -type f; find $d -name '*.svg' | wc -l; rm -r $d");
  EXPECT_EQ(left.out, "7\n");
}

}  // namespace
}  // namespace mha::test
