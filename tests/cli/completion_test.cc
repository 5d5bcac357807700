// The completions as the shells themselves run them.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "cli/command_table.h"
#include "cli/request.h"
#include "lessons/09-multi-head-attention/lesson.h"
#include "tests/support/process.h"

namespace mha::test {
namespace {

using Words = std::set<std::string>;

bool installed(const std::string& shell_name) { return shell("command -v " + shell_name).status == 0; }

Words lines_of(const std::string& text) {
  std::istringstream lines(text);
  Words words;
  for (std::string line; std::getline(lines, line);) words.insert(line);
  words.erase("");
  return words;
}

/// What bash offers after `words`, which are as bash splits a line: at each `=` too.
Words in_bash(const std::string& words, const std::string& before = "") {
  const Outcome outcome =
      shell(before +
            "bash --norc -c 'set -u; source <(mha --completion bash); complete -p mha > /dev/null; "
            "COMP_WORDS=(mha " +
            words +
            "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); "
            "_mha mha; printf \"%s\\n\" ${COMPREPLY[@]+\"${COMPREPLY[@]}\"}'");
  EXPECT_EQ(outcome.status, 0) << words;
  EXPECT_EQ(outcome.err, "") << words;
  return lines_of(outcome.out);
}

/// What fish offers at the end of a line, without its descriptions.
Words in_fish(const std::string& line, const std::string& before = "") {
  const Outcome outcome = shell(
      before + "fish --no-config -c 'mha --completion fish | source; complete -C \"mha " + line + "\"'");
  EXPECT_EQ(outcome.err, "") << line;
  Words words;
  for (const std::string& offered : lines_of(outcome.out))
    words.insert(offered.substr(0, offered.find('\t')));
  return words;
}

Words commands_and(Words words) {
  for (const commands::Command* command : cli::command_table()) words.insert(command->name);
  return words;
}

const Words kProgramOptions = {"--help", "--version", "--man", "--completion"};

Words words_in_help(const std::string& command) {
  Words options;
  for (const std::string& line : lines_of(cli::read_request({command, "--help"}).text)) {
    if (line.starts_with("  --")) options.insert(line.substr(2, line.find(' ', 2) - 2));
  }
  return options;
}

/// A directory with a file and a directory in it, the current one for the command that comes after.
const char* const kFolder = "d=$(mktemp -d); trap \"rm -r $d\" EXIT; cd $d; mkdir figures; touch 'a b.npz'; ";

class CompletionOf : public testing::TestWithParam<const char*> {};

TEST_P(CompletionOf, IsReadByItsShell) {
  const std::string name = GetParam();
  const Outcome made = shell("mha --completion " + name);
  EXPECT_EQ(made.status, 0);
  EXPECT_GT(std::count(made.out.begin(), made.out.end(), '\n'), 50);
  EXPECT_EQ(shell("mha --completion=" + name).out, made.out);
  if (!installed(name)) GTEST_SKIP() << name << " is not installed";
  const Outcome checked =
      shell("f=$(mktemp); mha --completion " + name + " > $f; " + name + " -n $f; s=$?; rm $f; exit $s");
  EXPECT_EQ(checked.status, 0);
  EXPECT_EQ(checked.err, "");
}

INSTANTIATE_TEST_SUITE_P(EveryShell, CompletionOf, testing::Values("bash", "zsh", "fish"),
                         [](const auto& shell_name) { return std::string(shell_name.param); });

TEST(Completion, InBashGivesCommands) {
  if (!installed("bash")) GTEST_SKIP() << "bash is not installed";
  EXPECT_EQ(in_bash("\"\""), commands_and(kProgramOptions));
  EXPECT_EQ(in_bash("con"), Words{"concat"});
  EXPECT_EQ(in_bash("--completion \"\""), (Words{"bash", "zsh", "fish"}));
  EXPECT_EQ(in_bash("--completion = z"), Words{"zsh"});
  EXPECT_EQ(in_bash("--completion bash \"\""), Words{});
  EXPECT_EQ(in_bash("--man \"\""), Words{});
}

TEST(Completion, InBashGivesEveryOptionOfEveryCommand) {
  if (!installed("bash")) GTEST_SKIP() << "bash is not installed";
  for (const commands::Command* command : cli::command_table()) {
    EXPECT_EQ(in_bash(std::string(command->name) + " --"), words_in_help(command->name)) << command->name;
  }
  EXPECT_EQ(in_bash("rank --T-"), Words{"--T-big"});
}

TEST(Completion, InBashGivesWhatAnOptionTakes) {
  if (!installed("bash")) GTEST_SKIP() << "bash is not installed";
  const Words projections(lesson09::kProjectionNames.begin(), lesson09::kProjectionNames.end());
  EXPECT_EQ(in_bash("concat --wo \"\""), projections);
  EXPECT_EQ(in_bash("concat --T 4 --wo s"), Words{"swap"});
  EXPECT_EQ(in_bash("concat --wo ="), projections);
  EXPECT_EQ(in_bash("concat --wo = s"), Words{"swap"});
  EXPECT_EQ(in_bash("weights --layout g"), (Words{"gpt2", "gpt2-linear"}));
  EXPECT_EQ(in_bash("weights --T \"\""), Words{});
  EXPECT_EQ(in_bash("run head_concatenation \"\"").size(), 3U);
  EXPECT_EQ(in_bash("exercise \"\""), (Words{"1", "2", "3", "4", "5", "6"}));
  EXPECT_EQ(in_bash("exercise --hint \"\"").size(), 6U);
  EXPECT_EQ(in_bash("exercise 4 \"\""), Words{});
  EXPECT_EQ(in_bash("exercise 4 --h"), (Words{"--hint", "--html", "--help"}));
  EXPECT_EQ(in_bash("inspect --input \"\"", kFolder), (Words{"a b.npz", "figures"}));
  EXPECT_EQ(in_bash("inspect --input = a", kFolder), Words{"a b.npz"});
  EXPECT_EQ(in_bash("weights --svg \"\"", kFolder), Words{"figures"});
}

TEST(Completion, InFishGivesCommandsOptionsAndWhatTheyTake) {
  if (!installed("fish")) GTEST_SKIP() << "fish is not installed";
  EXPECT_EQ(in_fish(""), commands_and({}));
  EXPECT_EQ(in_fish("--"), kProgramOptions);
  EXPECT_EQ(in_fish("--completion "), (Words{"bash", "zsh", "fish"}));
  EXPECT_EQ(in_fish("--completion bash "), Words{});
  for (const commands::Command* command : cli::command_table()) {
    EXPECT_EQ(in_fish(std::string(command->name) + " --"), words_in_help(command->name)) << command->name;
  }
  EXPECT_EQ(in_fish("concat --wo "), (Words{"identity", "mixing", "swap"}));
  EXPECT_EQ(in_fish("weights --T "), Words{});
  EXPECT_EQ(in_fish("exercise "), (Words{"1", "2", "3", "4", "5", "6"}));
  EXPECT_EQ(in_fish("exercise --hint ").size(), 6U);
  EXPECT_EQ(in_fish("exercise 4 "), Words{});
  EXPECT_EQ(in_fish("weights --svg ", kFolder), Words{"figures/"});
}

}  // namespace
}  // namespace mha::test
