#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/command_table.h"
#include "tests/support/figures.h"
#include "tests/support/models.h"
#include "tests/support/process.h"
#include "tests/support/temporary_directory.h"

namespace mha::test {
namespace {

namespace fs = std::filesystem;

/// A directory of its own for each test, gone afterwards.
class PageCli : public testing::Test {
 protected:
  [[nodiscard]] std::string in(const std::string& name) const { return directory_.in(name); }

  [[nodiscard]] std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(directory_.path()), fs::directory_iterator()));
  }

  /// The commands above the printed blocks, and what stands under them.
  static std::vector<std::pair<std::string, std::string>> printed(const std::string& page) {
    std::vector<std::pair<std::string, std::string>> found;
    std::string command;
    std::string before;
    for (const Element& element : parse_xml(page)) {
      if (element.name == "code" && before == "pre") {
        found.emplace_back(command, element.text);
      } else if (element.name == "code") {
        command = element.text;
      }
      before = element.name;
    }
    return found;
  }

  TemporaryDirectory directory_;
};

TEST_F(PageCli, EveryCommandWritesOneAndSaysSo) {
  const TemporaryFile heads("heads.json", R"({"A": [[1, 0], [0.5, 0.5]]})");
  for (const commands::Command* command : cli::command_table()) {
    const std::string name = command->name;
    SCOPED_TRACE(name);
    std::string options;
    if (name == "bench") options = " --T 8 --d-model 8 --H 1,2 --repeat 1";
    if (name == "inspect") options = " --input " + heads.path();
    if (name == "compare") options = " --input " + heads.path() + " --expect " + heads.path();
    if (name == "sample") options = " --T 3 --output " + in("sample.npz");
    const std::string path = in(name + ".html");
    const Outcome outcome = shell("mha " + name + options + " --html " + path);
    EXPECT_EQ(outcome.status, 0);
    EXPECT_TRUE(outcome.err.starts_with("mha: wrote " + path + "\n")) << outcome.err;
    const auto blocks = printed(contents(path));
    ASSERT_FALSE(blocks.empty());
    if (name == "bench") {
      EXPECT_EQ(blocks.front().first, "mha bench" + options);
      EXPECT_EQ(blocks.front().second, outcome.out);
      continue;
    }
    EXPECT_EQ(outcome.out, shell("mha " + name + options).out);
    for (const auto& [shown, block] : blocks) EXPECT_EQ(block, shell(shown).out) << shown;
  }
}

TEST_F(PageCli, TheCommandsShownPrintTheBlocksUnderThem) {
  for (const std::string words :
       {"weights --gain=-3 --T 9 --heads 2,2 --full", "run filter_bank_identity multi_head_weights --full",
        "rank --H-big 1,4 --T=33", "params --bias", "exercise 2 --solution", "exercise 4 --hint"}) {
    SCOPED_TRACE(words);
    const Outcome outcome = shell("mha " + words + " --threads 1 --html " + in("page"));
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    for (const auto& [shown, block] : printed(contents(in("page")))) {
      EXPECT_EQ(block, shell(shown).out) << shown;
      EXPECT_EQ(shown.ends_with("--full"), words.ends_with("--full")) << shown;
    }
  }
}

TEST_F(PageCli, StandsBesideEveryOtherOutput) {
  const Outcome outcome =
      shell("mha weights --T 3 --format json --svg " + in("figures") + " --html " + in("page"));
  EXPECT_EQ(outcome.status, 0);
  EXPECT_TRUE(nlohmann::json::accept(outcome.out));
  EXPECT_TRUE(fs::exists(in("figures/multi_head_weights.svg")));
  EXPECT_EQ(printed(contents(in("page"))).front(),
            (std::pair{std::string("mha weights --T 3"), shell("mha weights --T 3").out}));
  EXPECT_EQ(shell("mha weights --plot --html " + in("page")).out, shell("mha weights --plot").out);
}

TEST_F(PageCli, IsTheSameBytesOnEveryRunAndAnyThreads) {
  shell("mha run --html " + in("a"));
  shell("mha run --threads 2 --html " + in("b"));
  std::string b = contents(in("b"));
  EXPECT_NE(b, "");
  // The command line is the one that was given.
  for (std::size_t at = b.find("mha run --threads 2"); at != std::string::npos;
       at = b.find("mha run --threads 2")) {
    b.replace(at, 19, "mha run");
  }
  EXPECT_EQ(contents(in("a")), b);
}

TEST_F(PageCli, AFailedCheckHasItsPageAndStaysFailed) {
  shell("mha exercise 1 --template > " + in("answer"));
  const Outcome outcome = shell("mha exercise 1 --check " + in("answer") + " --html " + in("page"));
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(printed(contents(in("page"))).front().second, outcome.out);
}

TEST_F(PageCli, AFileIsReplacedAndReadableByOthers) {
  std::ofstream(in("page")) << "old";
  EXPECT_EQ(shell("umask 022; mha params --html " + in("page")).status, 0);
  EXPECT_EQ(contents(in("page")).substr(0, 15), "<!DOCTYPE html>");
  struct stat status {};
  ASSERT_EQ(::stat(in("page").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0644U);
}

TEST_F(PageCli, NeverTakesThePlaceOfAFileThatItIsMadeFrom) {
  const std::string heads = R"({"A": [[1, 0], [0.5, 0.5]]})";
  std::ofstream(in("heads.json")) << heads;
  std::ofstream(in("expect.json")) << heads;
  fs::create_symlink("heads.json", in("link"));
  fs::create_hard_link(in("heads.json"), in("same"));
  const std::string compare = "mha compare --input " + in("heads.json") + " --expect " + in("expect.json");
  for (const char* page : {"heads.json", "./heads.json", "link", "same", "expect.json"}) {
    const Outcome outcome = shell(compare + " --html " + in(page));
    EXPECT_EQ(outcome.status, 2) << page;
    EXPECT_EQ(outcome.out, "") << page;
    EXPECT_TRUE(outcome.err.starts_with("mha: --html: '" + in(page) + "' is the file of --")) << outcome.err;
  }
  EXPECT_EQ(contents(in("heads.json")), heads);
  EXPECT_EQ(contents(in("expect.json")), heads);
}

TEST_F(PageCli, ALinkStaysAndItsFileIsReplaced) {
  std::ofstream(in("page")) << "old";
  fs::create_symlink("page", in("link"));
  EXPECT_EQ(shell("mha params --html " + in("link")).status, 0);
  EXPECT_TRUE(fs::is_symlink(in("link")));
  EXPECT_EQ(contents(in("page")).substr(0, 15), "<!DOCTYPE html>");

  fs::create_symlink("not there yet", in("ahead"));
  EXPECT_EQ(shell("mha params --html " + in("ahead")).status, 0);
  EXPECT_TRUE(fs::is_symlink(in("ahead")));
  EXPECT_EQ(contents(in("not there yet")).substr(0, 15), "<!DOCTYPE html>");
}

TEST_F(PageCli, NeverTakesThePlaceOfStandardOutput) {
  // By another name: a test that fails must not take the device away.
  fs::create_symlink("/proc/self/fd/1", in("output"));
  for (const char* page : {"text", "output"}) {
    const Outcome outcome = shell("mha params --html " + in(page) + " > " + in("text"));
    EXPECT_EQ(outcome.status, 1) << page;
    EXPECT_NE(outcome.err.find("standard output goes there"), std::string::npos) << outcome.err;
    EXPECT_EQ(contents(in("text")), "") << page;
    EXPECT_TRUE(fs::is_symlink(in("output")));
  }
}

TEST_F(PageCli, OwnHeadsLeadToMoreOfThemselvesAndNotToTheLessons) {
  const std::string file = in("my heads.json");
  std::ofstream(file) << R"({"A": [[1, 0], [0.5, 0.5]], "V": [[1], [2]], "W_O": [[1]]})";
  std::size_t led = 0;
  for (const char* command : {"inspect", "weights", "entropy", "concat", "filterbank", "weights --T 2"}) {
    ASSERT_EQ(shell("mha " + std::string(command) + " --input '" + file + "' --html " + in("page")).status, 0)
        << command;
    bool next = false;
    for (const Element& element : parse_xml(contents(in("page")))) {
      next = next || element.attribute("id") == "next";
      if (!next || element.name != "code") continue;
      ++led;
      EXPECT_NE(element.text.find(" --input '" + file + "'"), std::string::npos) << element.text;
      EXPECT_EQ(shell(element.text).status, 0) << element.text;
    }
  }
  EXPECT_EQ(led, 5U);
}

TEST_F(PageCli, WhatCannotBeWrittenIsNamedAndLeavesNothingBehind) {
  fs::create_directories(in("directory"));
  std::ofstream(in("file")) << "a file";
  ASSERT_EQ(::mkfifo(in("pipe").c_str(), 0600), 0);
  // By another name: a test that fails must not take the device away.
  fs::create_symlink("/dev/full", in("device"));
  const std::size_t before = files();
  for (const std::string& place : {in("nowhere/page"), in("file/page"), in("directory"), in("pipe"),
                                   in("device"), std::string("/proc/page")}) {
    SCOPED_TRACE(place);
    const Outcome outcome = shell("mha weights --html " + place + " | cat");
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(outcome.err.starts_with("mha: --html: cannot write '" + place + "': ")) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_EQ(shell("mha weights --html " + place).status, 1);
  }
  const Outcome full = shell("trap '' XFSZ; ulimit -f 1; mha weights --html " + in("full"));
  EXPECT_EQ(full.status, 1);
  EXPECT_EQ(full.out, "");
  EXPECT_EQ(files(), before);
}

TEST_F(PageCli, RequestsThatMakeNoSenseAreRefused) {
  for (const std::string arguments :
       {"weights --html ''", "weights --html -", "weights --html", "weights --htlm x"}) {
    const Outcome outcome = shell("mha " + arguments);
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_EQ(outcome.out, "") << arguments;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  }
  // A terabyte of digits.
  const Outcome large = shell("mha weights --T 300000 --heads 4 --full --html " + in("page") + " | head -1");
  EXPECT_EQ(large.out, "");
  EXPECT_NE(large.err.find("mha: --full with --html"), std::string::npos) << large.err;
  EXPECT_EQ(files(), 0U);
}

TEST_F(PageCli, WordsThatAShellWouldReadAreQuoted) {
  const std::string name = "an 'answer' $(x)";
  shell("cd " + in("") + " && mha exercise 1 --template > \"an 'answer' \\$(x)\"");
  const Outcome outcome =
      shell("cd " + in("") + " && mha exercise 1 --check \"an 'answer' \\$(x)\" --html page");
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  const auto blocks = printed(contents(in("page")));
  EXPECT_EQ(blocks.front().first, "mha exercise 1 --check 'an '\\''answer'\\'' $(x)'");
  EXPECT_EQ(shell("cd " + in("") + " && " + blocks.front().first).out, outcome.out);
}

}  // namespace
}  // namespace mha::test
