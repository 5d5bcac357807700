// `mha exercise` from its options to its report, and as a shell sees it.
#include "commands/commands.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>

#include "render/text/text.h"
#include "state/solved_exercises.h"
#include "tests/support/process.h"
#include "tests/support/refusal.h"
#include "tests/support/report_values.h"
#include "tests/support/temporary_directory.h"

namespace mha::test {
namespace {

namespace fs = std::filesystem;

using commands::ExerciseOptions;

class ExerciseCommand : public testing::Test {
 protected:
  [[nodiscard]] ExerciseOptions options(int number) const {
    ExerciseOptions options;
    options.number = number;
    options.solved_file = state::file(directory_.path().c_str(), nullptr);
    return options;
  }

  /// An answer in a file: the lines of a report that are between braces.
  [[nodiscard]] std::string answer_of(const report::Report& report) const {
    std::string text;
    for (const report::Line& line : report.lines) {
      const std::string printed = printed_line(line);
      if (printed == "{" || !text.empty()) text += printed + "\n";
    }
    const fs::path file = directory_.path() / "answer.json";
    std::ofstream(file) << text;
    return file;
  }

  report::Report check(int number, const std::string& file) const {
    ExerciseOptions asked = options(number);
    asked.check = file;
    return commands::exercise(asked);
  }

  [[nodiscard]] std::string solution(int number) const {
    ExerciseOptions asked = options(number);
    asked.solution = true;
    return answer_of(commands::exercise(asked));
  }

  [[nodiscard]] std::string form(int number) const {
    ExerciseOptions asked = options(number);
    asked.form = true;
    return answer_of(commands::exercise(asked));
  }

  [[nodiscard]] std::set<int> solved() const { return state::solved(options(0).solved_file); }

  TemporaryDirectory directory_;
};

TEST_F(ExerciseCommand, PrintsSolutionsThatPassTheirOwnChecks) {
  for (int n = 1; n <= 6; ++n) {
    const report::Report report = check(n, solution(n));
    EXPECT_TRUE(report.ok) << n;
    EXPECT_TRUE(member_as<bool>(report.results, "passed")) << n;
    EXPECT_TRUE(member_as<bool>(report.results, "noted")) << n;
    EXPECT_EQ(solved().size(), static_cast<std::size_t>(n));
  }
}

TEST_F(ExerciseCommand, PrintsTemplatesThatAreReadAndNotRight) {
  for (int n = 1; n <= 6; ++n) {
    const report::Report report = check(n, form(n));
    EXPECT_FALSE(report.ok) << n;
    EXPECT_FALSE(member_as<bool>(report.results, "noted")) << n;
  }
  EXPECT_EQ(solved(), std::set<int>{});
}

TEST_F(ExerciseCommand, NotesNothingButACheckThatPassed) {
  for (int n = 1; n <= 6; ++n) {
    for (bool ExerciseOptions::*flag : {&ExerciseOptions::hint, &ExerciseOptions::form,
                                        &ExerciseOptions::solution, &ExerciseOptions::reset}) {
      ExerciseOptions asked = options(n);
      asked.*flag = true;
      commands::exercise(asked);
    }
    commands::exercise(options(n));
    EXPECT_THROW(check(n, "/dev/null"), std::invalid_argument);
    EXPECT_THROW(check(n, solution(n % 6 + 1)), std::invalid_argument) << "another exercise's answer";
  }
  EXPECT_EQ(solved(), std::set<int>{});
}

TEST_F(ExerciseCommand, ListsWhatIsSolvedAndForgetsIt) {
  check(3, solution(3));
  check(5, solution(5));
  const auto ticks = [&] {
    std::string text;
    for (const auto& exercise :
         elements<report::Object>(member(commands::exercise(options(0)).results, "exercises"))) {
      text += member_as<bool>(exercise, "solved") ? 'x' : '.';
    }
    return text;
  };
  EXPECT_EQ(ticks(), "..x.x.");
  EXPECT_TRUE(member_as<bool>(commands::exercise(options(3)).results, "solved"));
  check(3, form(3));
  EXPECT_EQ(ticks(), "..x.x.") << "a wrong answer afterwards takes nothing back";
  ExerciseOptions reset = options(3);
  reset.reset = true;
  EXPECT_EQ(member_as<report::Count>(commands::exercise(reset).results, "forgotten"), 1U);
  EXPECT_EQ(ticks(), "....x.");
  reset.number = 0;
  commands::exercise(reset);
  EXPECT_EQ(ticks(), "......");
}

TEST_F(ExerciseCommand, WithoutAHomeLosesOnlyTheTick) {
  for (const char* const nowhere : {"", "/dev/null/mha/lesson-09"}) {
    ExerciseOptions asked = options(6);
    asked.check = solution(6);
    asked.solved_file = nowhere;
    const report::Report report = commands::exercise(asked);
    EXPECT_TRUE(report.ok);
    EXPECT_FALSE(member_as<bool>(report.results, "noted"));
    bool said = false;
    for (const report::Line& line : report.lines) {
      said = said || printed_line(line).rfind("It is right, but could not be noted as solved (", 0) == 0;
    }
    EXPECT_TRUE(said);
  }
}

TEST_F(ExerciseCommand, PrintsNoLineBeyond80Columns) {
  std::vector<ExerciseOptions> all = {options(0)};
  for (int n = 1; n <= 6; ++n) {
    all.insert(all.end(), 6, options(n));
    all[all.size() - 5].hint = true;
    all[all.size() - 4].form = true;
    all[all.size() - 3].solution = true;
  }
  std::vector<report::Report> reports;
  for (int n = 1; n <= 6; ++n) {
    reports.push_back(check(n, form(n)));
    reports.push_back(check(n, solution(n)));
  }
  for (const ExerciseOptions& asked : all) reports.push_back(commands::exercise(asked));
  for (const report::Report& report : reports) {
    std::ostringstream out;
    render::text(report, false, out);
    std::istringstream lines(out.str());
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
  }
}

TEST_F(ExerciseCommand, RefusesOptionsThatDoNotGoTogether) {
  const auto refused = [](const ExerciseOptions& asked) {
    return refusal<std::invalid_argument>([&] { commands::exercise(asked); });
  };
  ExerciseOptions asked = options(0);
  asked.hint = true;
  EXPECT_EQ(refused(asked), "--hint: of which exercise? Give its number first, 1 to 6");
  asked.solution = true;
  EXPECT_EQ(refused(asked), "--hint and --solution do not go together; give one");
  asked = options(2);
  asked.check = "x";
  asked.reset = true;
  EXPECT_EQ(refused(asked), "--check and --reset do not go together; give one");
}

TEST_F(ExerciseCommand, NamesTheFileOfAnAnswerThatCannotBeJudged) {
  const fs::path file = directory_.path() / "answer.json";
  std::ofstream(file) << R"({"Q": [[1], [1]], "K": [[1], [1]]})";
  EXPECT_EQ(refusal<std::invalid_argument>([&] { check(4, file); }),
            "the answer: \"Q\" is 2 x 1; row 4 takes at least 4 tokens, a row each");
}

TEST(ExerciseProgram, ExitsWith0And1And2) {
  const Outcome right = shell("mha exercise 4 --solution | sed -n '/^{/,$p' | mha exercise 4 --check -");
  EXPECT_EQ(right.status, 0) << right.out << right.err;
  const Outcome wrong = shell("mha exercise 4 --template | mha exercise 4 --check /dev/stdin");
  EXPECT_EQ(wrong.status, 1);
  EXPECT_EQ(wrong.err, "");
  const Outcome none = shell("echo '{\"Q\": 1}' | mha exercise 4 --check -");
  EXPECT_EQ(none.status, 2);
  EXPECT_EQ(none.out, "");
  EXPECT_EQ(none.err, "mha: --check '-': \"K\" is missing; the keys are \"Q\", \"K\"\n");
  EXPECT_EQ(shell("mha exercise 4 --check \"$(printf 'a\\nb')\"").err,
            "mha: --check 'a\\x0ab': No such file or directory\n");
}

TEST(ExerciseProgram, NotesUnderXdgStateHomeOrElseUnderHome) {
  const std::string solve =
      "mha exercise 5 --solution | sed -n '/^{/,$p' | mha exercise 5 --check - > /dev/null; ";
  EXPECT_EQ(shell(solve + "cat \"$XDG_STATE_HOME\"/mha/lesson-09").out, "5\n");
  EXPECT_EQ(shell("HOME=$XDG_STATE_HOME/home; export HOME; unset XDG_STATE_HOME; " + solve +
                  "cat $HOME/.local/state/mha/lesson-09")
                .out,
            "5\n");
  EXPECT_EQ(shell("unset XDG_STATE_HOME HOME; " + solve + "mha exercise | grep -c x]").out, "1\n")
      << "only the line that explains the mark";
}

TEST(ExerciseProgram, ChecksSeveralAtOnceAndLosesNoTick) {
  const Outcome outcome = shell(
      "for n in 1 2 3 4 5 6; do mha exercise $n --solution | sed -n '/^{/,$p' | mha exercise $n --check - & done "
      "> /dev/null; wait; cat \"$XDG_STATE_HOME\"/mha/lesson-09; ls \"$XDG_STATE_HOME\"/mha");
  EXPECT_EQ(outcome.out, "1\n2\n3\n4\n5\n6\nlesson-09\n");
}

TEST(ExerciseProgram, GivesItsAnswerAsJsonThatIsItsForm) {
  for (int n = 1; n <= 6; ++n) {
    const auto parse = [&](const std::string& option) {
      return nlohmann::json::parse(
          shell(fmt::format("mha exercise {} {} --format json", n, option)).out)["results"];
    };
    const nlohmann::json solution = parse("--solution");
    const nlohmann::json form = parse("--template");
    EXPECT_EQ(solution["exercise"], n);
    ASSERT_EQ(form["template"].size(), solution["answer"].size());
    for (const auto& [key, value] : form["template"].items())
      EXPECT_TRUE(solution["answer"].contains(key)) << key;
    EXPECT_EQ(nlohmann::json::parse(shell(fmt::format("mha exercise {} --template", n)).out),
              form["template"]);
  }
}

}  // namespace
}  // namespace mha::test
