#include "cli/help.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "cli/command_table.h"
#include "cli/request.h"
#include "tests/support/process.h"

namespace mha::test {
namespace {

/// The options that a command's own help lists.
std::vector<std::string> options_in_help(const std::string& command) {
  std::istringstream help(cli::read_request({command, "--help"}).text);
  std::vector<std::string> options;
  for (std::string line; std::getline(help, line);) {
    if (line.starts_with("  --")) options.push_back(line.substr(2, line.find(' ', 2) - 2));
  }
  return options;
}

/// With dashes that are no hyphens.
std::string dashed(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '-' ? "\\-" : std::string(1, c);
  return result;
}

/// As the page writes an option: bold.
std::string set(const std::string& option) { return "\\fB" + dashed(option) + "\\fR"; }

/// The page's part on a command, up to the next part.
std::string part_on(const std::string& command, const std::string& page) {
  const std::size_t start = page.find("\n.SS \"" + command + ": ");
  if (start == std::string::npos) return "";
  return page.substr(start, page.find("\n.S", start + 1) - start);
}

TEST(Manual, ListsEveryCommandWithEveryOptionAndExample) {
  const std::string page = cli::manual();
  for (const commands::Command* command : cli::command_table()) {
    const std::string part = part_on(command->name, page);
    EXPECT_NE(part, "") << command->name;
    const std::vector<std::string> options = options_in_help(command->name);
    EXPECT_GE(options.size(), 5U) << command->name;
    for (const std::string& option : options) {
      EXPECT_NE(part.find(set(option)), std::string::npos) << command->name << " " << option;
      EXPECT_NE(page.find(".TP\n" + set(option)), std::string::npos) << option << " is not explained";
    }
    EXPECT_GT(std::count(part.begin(), part.end(), '\n'), 8) << part;
    const std::size_t examples = part.find("\nExamples:\n");
    EXPECT_NE(examples, std::string::npos) << part;
    for (const std::string example : command->examples) {
      std::string line = "\n";
      line += dashed(example) + "\n";
      EXPECT_NE(part.find(line, examples), std::string::npos) << example;
    }
  }
}

TEST(Manual, ExplainsAnOptionOnceWhereItIsTheSameEverywhere) {
  const std::string page = cli::manual();
  for (const char* option : {"--format", "--plot", "--input", "--layout", "--tokens", "--man"}) {
    const std::string paragraph = ".TP\n" + set(option);
    const std::size_t first = page.find(paragraph);
    ASSERT_NE(first, std::string::npos) << option;
    EXPECT_EQ(page.find(paragraph, first + 1), std::string::npos) << option;
  }
}

TEST(Manual, IsAscii) {
  const std::string page = cli::manual();
  EXPECT_TRUE(
      std::all_of(page.begin(), page.end(), [](char c) { return (c >= ' ' && c <= '~') || c == '\n'; }));
}

TEST(Manual, IsSetByGroffWithoutAWarningAndWithItsCharactersAsTheyAre) {
  if (shell("command -v groff").status != 0) GTEST_SKIP() << "groff is not installed";
  const Outcome page = shell("mha --man | groff -man -ww -Tascii -P-c -P-b -P-u");
  EXPECT_EQ(page.status, 0);
  EXPECT_EQ(page.err, "");
  for (const char* text : {"softmax(Q_h K_h'/sqrt(d_k) + M)", "4*d_model^2", "       --kv-heads N\n",
                           "       mha concat --wo swap --format json\n", "\nHEADS FROM A FILE\n",
                           "$XDG_STATE_HOME/mha/lesson-09\n", "~/.local/state/mha/lesson-09.\n",
                           "tolerance, absolute (default: 0)\n"}) {
    EXPECT_PRED_FORMAT2(testing::IsSubstring, text, page.out);
  }
}

}  // namespace
}  // namespace mha::test
