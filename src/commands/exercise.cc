#include "commands/exercise.h"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <set>
#include <stdexcept>
#include <system_error>

#include "commands/answer_form.h"
#include "lessons/09-multi-head-attention/exercises/exercise.h"
#include "state/solved_exercises.h"
#include "text/quote.h"

namespace mha::commands {
namespace {

using lesson09::Exercise;
using report::Count;
using report::Line;
using report::Report;

const Exercise& exercise_of(const ExerciseOptions& options) {
  return lesson09::exercises().at(static_cast<std::size_t>(options.number) - 1);
}

report::Value texts(const std::vector<std::string>& lines) {
  report::List list;
  for (const std::string& line : lines) list.push_back({line});
  return {std::move(list)};
}

void append(Report& report, const std::vector<Line>& lines) {
  report.lines.insert(report.lines.end(), lines.begin(), lines.end());
}

/// The report of one exercise, begun: `results.exercise` and the line that says which it is.
Report begin(const ExerciseOptions& options, const char* show) {
  Report report("exercise");
  report.parameters = {{"exercise", {options.number}}, {"show", {std::string(show)}}};
  report.results = {{"exercise", {options.number}}, {"title", {exercise_of(options).title}}};
  return report;
}

std::string heading(const ExerciseOptions& options, const std::string& what) {
  return fmt::format("Exercise {}, {}: {}", options.number, what, exercise_of(options).title);
}

Report list(const ExerciseOptions& options) {
  const std::set<int> solved = state::solved(options.solved_file);
  Report report("exercise");
  report.lines = {{"The lesson's exercises ([x] is solved):"}};
  report::List exercises;
  int number = 0;
  for (const Exercise& exercise : lesson09::exercises()) {
    ++number;
    const bool done = solved.contains(number);
    report.lines.push_back({fmt::format("  [{}] {}  {}", done ? 'x' : ' ', number, exercise.title)});
    exercises.push_back(
        {report::Object{{"exercise", {number}}, {"title", {exercise.title}}, {"solved", {done}}}});
  }
  append(report, lesson09::text_lines({
                     "",
                     "mha exercise 1 states the first. Then, of each, --hint helps, --template prints",
                     "the form of an answer, --check FILE judges one, --solution works it out.",
                 }));
  report.results = {{"exercises", {std::move(exercises)}}};
  return report;
}

Report task(const ExerciseOptions& options) {
  const Exercise& exercise = exercise_of(options);
  const bool done = state::solved(options.solved_file).contains(options.number);
  Report report = begin(options, "task");
  report.results.push_back({"task", texts(exercise.task)});
  report.results.push_back({"start", {exercise.start}});
  report.results.push_back({"solved", {done}});
  report.lines = {{heading(options, done ? "solved" : "the task")}, {""}};
  append(report, lesson09::text_lines(exercise.task));
  append(report, {{""}, {"Start from:"}, {"  " + exercise.start}});
  append(report, {{fmt::format("  mha exercise {} --template > answer.json", options.number)},
                  {fmt::format("  mha exercise {} --check answer.json", options.number)}});
  return report;
}

Report hint(const ExerciseOptions& options) {
  const Exercise& exercise = exercise_of(options);
  Report report = begin(options, "hint");
  report.results.push_back({"hint", texts(exercise.hint)});
  report.lines = {{heading(options, "a hint")}, {""}};
  append(report, lesson09::text_lines(exercise.hint));
  return report;
}

/// Nothing but the form, so that it can go straight into a file.
Report form(const ExerciseOptions& options) {
  const Exercise& exercise = exercise_of(options);
  const lesson09::Answer blank = placeholders(exercise.form);
  Report report = begin(options, "template");
  report.results.push_back({"template", {answer_object(exercise.form, blank)}});
  report.lines = lesson09::text_lines(answer_lines(exercise.form, blank));
  return report;
}

Report solution(const ExerciseOptions& options) {
  const Exercise& exercise = exercise_of(options);
  lesson09::Solution solution = exercise.solve();
  Report report = begin(options, "solution");
  report.lines = {{heading(options, "a solution")}, {""}};
  append(report, solution.lines);
  append(report, {{""}, {"An answer that passes:"}});
  append(report, lesson09::text_lines(answer_lines(exercise.form, solution.answer)));
  for (report::Member& number : solution.numbers) report.results.push_back(std::move(number));
  report.results.push_back({"answer", {answer_object(exercise.form, solution.answer)}});
  return report;
}

/// What messages call the file of an answer.
std::string check_name(const ExerciseOptions& options) { return "--check " + text::in_quotes(options.check); }

lesson09::Judgement judgement_of(const ExerciseOptions& options) {
  const Exercise& exercise = exercise_of(options);
  const lesson09::Answer answer = read_answer(exercise.form, options.check, check_name(options));
  try {
    return exercise.judge(answer);
  } catch (const std::invalid_argument& e) {
    throw std::invalid_argument(fmt::format("{}: {}", check_name(options), e.what()));
  }
}

Report check(const ExerciseOptions& options) {
  lesson09::Judgement judgement = judgement_of(options);
  Report report = begin(options, "check");
  report::List findings;
  std::vector<Line> lines;
  for (const lesson09::Finding& finding : judgement.findings) {
    report.ok = report.ok && finding.ok;
    lines.push_back({fmt::format("  {}  {}", finding.ok ? "ok " : "off", finding.text)});
    findings.push_back({report::Object{{"ok", {finding.ok}}, {"text", {finding.text}}}});
  }
  report.lines = {{heading(options, report.ok ? "solved" : "not yet")}};
  append(report, lines);
  report.results.push_back({"passed", {report.ok}});
  report.results.push_back({"findings", {std::move(findings)}});
  for (report::Member& number : judgement.numbers) report.results.push_back(std::move(number));

  bool noted = false;
  if (report.ok) {
    try {
      state::note(options.solved_file, options.number);
      noted = true;
    } catch (const std::system_error& e) {
      const std::string where = options.solved_file.empty()
                                    ? "neither XDG_STATE_HOME nor HOME says where"
                                    : fmt::format("{}: {}", options.solved_file.string(), e.code().message());
      append(report, {{fmt::format("It is right, but could not be noted as solved ({}).", where)}});
    }
    append(report, lesson09::text_lines({"The argument is yours to make; --solution has one to compare."}));
  }
  report.results.push_back({"noted", {noted}});
  return report;
}

Report reset(const ExerciseOptions& options) {
  std::size_t forgotten = 0;
  try {
    forgotten = state::forget(options.solved_file, options.number);
  } catch (const std::system_error& e) {
    throw std::runtime_error(
        fmt::format("--reset: cannot change {}: {}", options.solved_file.string(), e.code().message()));
  }
  Report report("exercise");
  report.parameters = {{"show", {std::string("reset")}}};
  if (options.number > 0) report.results.push_back({"exercise", {options.number}});
  report.results.push_back({"forgotten", forgotten});
  report.lines = {{forgotten == 0 ? std::string("Nothing was noted as solved.")
                   : forgotten == 1
                       ? std::string("Forgotten: 1 exercise is to be solved again.")
                       : fmt::format("Forgotten: {} exercises are to be solved again.", forgotten)}};
  return report;
}

struct Action {
  const char* option;
  bool asked;
  Report (*run)(const ExerciseOptions& options);
  bool needs_number = true;
};

Report report_of(const ExerciseOptions& options) {
  const std::vector<Action> actions = {{"--hint", options.hint, hint},
                                       {"--template", options.form, form},
                                       {"--check", !options.check.empty(), check},
                                       {"--solution", options.solution, solution},
                                       {"--reset", options.reset, reset, false}};
  const Action* chosen = nullptr;
  for (const Action& action : actions) {
    if (!action.asked) continue;
    if (chosen != nullptr)
      throw std::invalid_argument(
          fmt::format("{} and {} do not go together; give one", chosen->option, action.option));
    chosen = &action;
  }
  if (chosen == nullptr) return options.number == 0 ? list(options) : task(options);
  if (chosen->needs_number && options.number == 0)
    throw std::invalid_argument(fmt::format("{}: of which exercise? Give its number first, 1 to {}",
                                            chosen->option, lesson09::exercises().size()));
  return chosen->run(options);
}

/// An exercise leads on to what helps with it.
report::Explanation explanation(const ExerciseOptions& options) {
  report::Explanation explained{
      "Exercises", "Six questions about the lesson's heads, each of them answered by running something."};
  if (options.number == 0) {
    explained.next = {{"exercise 1", "the first exercise"}};
    return explained;
  }
  explained.title = exercise_of(options).title;
  explained.next = {{fmt::format("exercise {} --hint", options.number), "a hint"},
                    {fmt::format("exercise {} --template", options.number), "the form of an answer"},
                    {fmt::format("exercise {} --solution", options.number), "the solution, and why"},
                    {"exercise", "the list, and which ones are solved"}};
  return explained;
}

void declare(options::Options& options, ExerciseOptions& chosen) {
  std::vector<std::string> numbers;
  for (std::size_t n = 1; n <= lesson09::exercises().size(); ++n) numbers.push_back(fmt::to_string(n));
  options.positional("exercise", "N", std::move(numbers), "which exercise; without it all are listed",
                     [&chosen](std::size_t number) { chosen.number = static_cast<int>(number) + 1; });
  options.flag("--hint", chosen.hint, "a hint");
  options.flag("--template", chosen.form, "the form of an answer, to be filled in");
  options.input_file("--check", chosen.check, "judge the answer in a file; - is standard input");
  options.flag("--solution", chosen.solution, "the solution, its numbers and why");
  options.flag("--reset", chosen.reset, "forget that it was solved; without N forget all");
  chosen.solved_file = state::file(std::getenv("XDG_STATE_HOME"), std::getenv("HOME"));
}

}  // namespace

Report exercise(const ExerciseOptions& options) {
  Report report = report_of(options);
  report.explanation = explanation(options);
  return report;
}

constexpr std::array kExamples = {"mha exercise", "mha exercise 4", "mha exercise 4 --template",
                                  "mha exercise 4 --solution"};
const Command kExercise = {
    "exercise",
    "the lesson's exercises: task, hint, check, solution",
    "The lesson's six exercises. Without N the list, and which are solved; with N its task. An answer is\n"
    "JSON in the form that --template prints. --check exits with 0 when the answer is right, with 1 when\n"
    "it is not, saying what is off, and with 2 when it is no answer.",
    kExamples,
    false,
    [](options::Options& options) { return declared<ExerciseOptions>(options, declare, exercise); }};

}  // namespace mha::commands
