#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <set>
#include <stdexcept>
#include <system_error>

#include "commands/commands.h"
#include "input/answer_file.h"
#include "lessons/09-multi-head-attention/exercises/exercises.h"
#include "state/solved_exercises.h"
#include "text/quote.h"

namespace mha::commands {
namespace {

using lesson09::Answer;
using lesson09::Exercise;
using lesson09::Field;
using report::Report;

/// Adds lines of text.
void add(Report& report, const std::vector<std::string>& texts) {
  for (const std::string& text : texts) report.lines.push_back({text});
}

report::List list_of(const std::vector<std::string>& texts) { return {texts.begin(), texts.end()}; }

void add(report::Object& results, report::Object&& more) {
  for (report::Member& member : more) results.push_back(std::move(member));
}

std::string heading(const ExerciseOptions& options, const Exercise& exercise, const char* what) {
  return fmt::format("Exercise {}, {}: {}", options.number, what, exercise.title);
}

/// A whole number without its `.0`, so that a count looks like one.
report::Value value(double x) {
  const bool count = x >= 0.0 && x <= 0x1p53 && x == std::floor(x);
  return count ? report::Value(static_cast<report::Count>(x)) : report::Value(x);
}

report::Value row_value(const Matrix& values, Index r) {
  report::List row;
  for (const double x : values.row(r)) row.push_back(value(x));
  return row;
}

report::Value field_value(const Field& field, const Matrix& values) {
  if (field.shape == Field::Shape::kNumber) return value(values(0, 0));
  if (field.shape == Field::Shape::kList) return row_value(values, 0);
  report::List rows;
  for (Index r = 0; r < values.rows(); ++r) rows.push_back(row_value(values, r));
  return rows;
}

/// An answer as named values, in the order of its form.
report::Object answer_object(const std::vector<Field>& form, const Answer& answer) {
  report::Object object;
  for (const Field& field : form) object.emplace_back(field.name, field_value(field, answer.at(field.name)));
  return object;
}

/// On one line. Only what field_value makes: counts, numbers, lists of them.
std::string json_text(const report::Value& value) {
  if (const auto* count = std::get_if<report::Count>(&value.data)) return fmt::to_string(*count);
  if (const auto* number = std::get_if<double>(&value.data)) return fmt::format("{}", *number);
  std::string text = "[";
  for (const report::Value& element : std::get<report::List>(value.data)) {
    text += (text.size() > 1 ? ", " : "") + json_text(element);
  }
  return text + "]";
}

/// The lines of a JSON file with that object, an entry a line.
std::vector<std::string> json_lines(const report::Object& object) {
  std::vector<std::string> lines = {"{"};
  for (const report::Member& member : object) {
    const bool last = lines.size() == object.size();
    lines.push_back(fmt::format("  \"{}\": {}{}", member.name, json_text(member.value), last ? "" : ","));
  }
  lines.emplace_back("}");
  return lines;
}

/// Reads an answer of that form from a file. Throws std::invalid_argument, with the name for messages and
/// the place in the file, for anything else.
Answer read_answer(const std::vector<Field>& form, const std::string& path, const std::string& name) {
  std::vector<std::string> keys;
  for (const Field& field : form) keys.push_back(field.name);
  const input::AnswerFile file(path, name, keys);
  Answer answer;
  for (const Field& field : form) {
    switch (field.shape) {
      case Field::Shape::kNumber:
        answer[field.name] = lesson09::number(file.number(field.name));
        break;
      case Field::Shape::kList:
        answer[field.name] = file.list(field.name, field.placeholder.cols());
        break;
      case Field::Shape::kMatrix:
        answer[field.name] = file.matrix(field.name);
        break;
    }
  }
  return answer;
}

Report list(const ExerciseOptions& options) {
  const std::set<int> solved = state::solved(options.solved_file);
  Report report("exercise");
  add(report, {"The lesson's exercises ([x] is solved):"});
  report::List exercises;
  int number = 0;
  for (const Exercise& exercise : lesson09::exercises()) {
    const bool done = solved.contains(++number);
    add(report, {fmt::format("  [{}] {}  {}", done ? 'x' : ' ', number, exercise.title)});
    exercises.push_back(report::Object{{"exercise", number}, {"title", exercise.title}, {"solved", done}});
  }
  add(report, {
                  "",
                  "mha exercise 1 states the first. Then, of each, --hint helps, --template prints",
                  "the form of an answer, --check FILE judges one, --solution works it out.",
              });
  report.results = {{"exercises", std::move(exercises)}};
  return report;
}

void task(const ExerciseOptions& options, const Exercise& exercise, Report& report) {
  const bool done = state::solved(options.solved_file).contains(options.number);
  add(report.results, {{"task", list_of(exercise.task)}, {"start", exercise.start}, {"solved", done}});
  add(report, {heading(options, exercise, done ? "solved" : "the task"), ""});
  add(report, exercise.task);
  add(report, {
                  "",
                  "Start from:",
                  "  " + exercise.start,
                  fmt::format("  mha exercise {} --template > answer.json", options.number),
                  fmt::format("  mha exercise {} --check answer.json", options.number),
              });
}

void hint(const ExerciseOptions& options, const Exercise& exercise, Report& report) {
  report.results.emplace_back("hint", list_of(exercise.hint));
  add(report, {heading(options, exercise, "a hint"), ""});
  add(report, exercise.hint);
}

/// Nothing but the form, so that it can go straight into a file.
void form(const ExerciseOptions& /*options*/, const Exercise& exercise, Report& report) {
  Answer blank;
  for (const Field& field : exercise.form) blank[field.name] = field.placeholder;
  const report::Object object = answer_object(exercise.form, blank);
  report.results.emplace_back("template", object);
  add(report, json_lines(object));
}

void solution(const ExerciseOptions& options, const Exercise& exercise, Report& report) {
  lesson09::Solution solution = exercise.solve();
  const report::Object answer = answer_object(exercise.form, solution.answer);
  add(report, {heading(options, exercise, "a solution"), ""});
  report.lines.insert(report.lines.end(), solution.lines.begin(), solution.lines.end());
  add(report, {"", "An answer that passes:"});
  add(report, json_lines(answer));
  add(report.results, std::move(solution.numbers));
  report.results.emplace_back("answer", answer);
}

lesson09::Judgement judgement_of(const ExerciseOptions& options, const Exercise& exercise) {
  const std::string name = "--check " + text::in_quotes(options.check);
  const Answer answer = read_answer(exercise.form, options.check, name);
  try {
    return exercise.judge(answer);
  } catch (const std::invalid_argument& e) {
    throw std::invalid_argument(fmt::format("{}: {}", name, e.what()));
  }
}

/// Notes that the exercise is solved; says why where that fails.
bool note(const ExerciseOptions& options, Report& report) {
  try {
    state::note(options.solved_file, options.number);
    return true;
  } catch (const std::system_error& e) {
    const std::string where = options.solved_file.empty()
                                  ? "neither XDG_STATE_HOME nor HOME says where"
                                  : fmt::format("{}: {}", options.solved_file.string(), e.code().message());
    add(report, {fmt::format("It is right, but could not be noted as solved ({}).", where)});
    return false;
  }
}

void check(const ExerciseOptions& options, const Exercise& exercise, Report& report) {
  lesson09::Judgement judgement = judgement_of(options, exercise);
  report::List findings;
  std::vector<std::string> lines;
  for (const lesson09::Finding& finding : judgement.findings) {
    report.ok = report.ok && finding.ok;
    lines.push_back(fmt::format("  {}  {}", finding.ok ? "ok " : "off", finding.text));
    findings.push_back(report::Object{{"ok", finding.ok}, {"text", finding.text}});
  }
  add(report, {heading(options, exercise, report.ok ? "solved" : "not yet")});
  add(report, lines);
  add(report.results, {{"passed", report.ok}, {"findings", std::move(findings)}});
  add(report.results, std::move(judgement.numbers));
  report.results.emplace_back("noted", report.ok && note(options, report));
  if (report.ok) add(report, {"The argument is yours to make; --solution has one to compare."});
}

Report reset(const ExerciseOptions& options) {
  std::size_t forgotten = 0;
  try {
    forgotten = state::forget(options.solved_file, options.number);
  } catch (const std::system_error& e) {
    throw std::runtime_error(
        fmt::format("--reset: cannot change {}: {}", options.solved_file.string(), e.code().message()));
  }
  Report report("exercise", {{"show", "reset"}});
  if (options.number > 0) report.results.emplace_back("exercise", options.number);
  report.results.emplace_back("forgotten", forgotten);
  add(report, {forgotten == 0   ? "Nothing was noted as solved."
               : forgotten == 1 ? "Forgotten: 1 exercise is to be solved again."
                                : fmt::format("Forgotten: {} exercises are to be solved again.", forgotten)});
  return report;
}

struct Action {
  std::string option;
  bool asked;
  void (*run)(const ExerciseOptions& options, const Exercise& exercise, Report& report);
};

Report report_of(const ExerciseOptions& options) {
  const std::vector<Action> actions = {{"--hint", options.hint, hint},
                                       {"--template", options.form, form},
                                       {"--check", !options.check.empty(), check},
                                       {"--solution", options.solution, solution},
                                       {"--reset", options.reset, nullptr}};
  Action chosen = {"--task", false, task};
  for (const Action& action : actions) {
    if (!action.asked) continue;
    if (chosen.asked)
      throw std::invalid_argument(
          fmt::format("{} and {} do not go together; give one", chosen.option, action.option));
    chosen = action;
  }
  if (options.reset) return reset(options);
  const std::vector<Exercise>& exercises = lesson09::exercises();
  if (options.number == 0 && !chosen.asked) return list(options);
  if (options.number == 0)
    throw std::invalid_argument(fmt::format("{}: of which exercise? Give its number first, 1 to {}",
                                            chosen.option, exercises.size()));
  const Exercise& exercise = exercises.at(static_cast<std::size_t>(options.number) - 1);
  Report report("exercise", {{"exercise", options.number}, {"show", chosen.option.substr(2)}});
  report.results = {{"exercise", options.number}, {"title", exercise.title}};
  chosen.run(options, exercise, report);
  return report;
}

/// An exercise leads on to what helps with it.
report::Explanation explanation(const ExerciseOptions& options) {
  report::Explanation explained{
      "Exercises", "Six questions about the lesson's heads, each of them answered by running something."};
  if (options.number == 0) {
    explained.next = {{"exercise 1", "the first exercise"}};
    return explained;
  }
  explained.title = lesson09::exercises().at(static_cast<std::size_t>(options.number) - 1).title;
  explained.next = {{fmt::format("exercise {} --hint", options.number), "a hint"},
                    {fmt::format("exercise {} --template", options.number), "the form of an answer"},
                    {fmt::format("exercise {} --solution", options.number), "the solution, and why"},
                    {"exercise", "the list, and which ones are solved"}};
  return explained;
}

void declare_exercise(options::Options& options, ExerciseOptions& chosen) {
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

constexpr std::array kExerciseExamples = {"mha exercise", "mha exercise 4", "mha exercise 4 --template",
                                          "mha exercise 4 --solution"};
const Command kExercise = {
    "exercise",
    "the lesson's exercises: task, hint, check, solution",
    "The lesson's six exercises. Without N the list, and which are solved; with N its task. An answer is\n"
    "JSON in the form that --template prints. --check exits with 0 when the answer is right, with 1 when\n"
    "it is not, saying what is off, and with 2 when it is no answer.",
    kExerciseExamples,
    false,
    [](options::Options& options) { return declared<ExerciseOptions>(options, declare_exercise, exercise); }};

}  // namespace mha::commands
