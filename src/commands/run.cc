#include "commands/commands.h"

#include <array>
#include <memory>
#include <utility>

namespace mha::commands {
namespace {

std::vector<report::Report> filter_bank_identity() {
  report::Report counts = rank({.heads = {}, .H_big = {1, 4, 8, 16}});
  counts.figures.clear();  // the FLOPs are what is looked at here; multi_head_weights draws the ranks
  counts.command_line = "rank --H-big 1,4,8,16";
  counts.explanation.title = "One wide head or several narrow ones";
  report::Report identities = filterbank({.source = {}, .wo = BankProjection::kAll});
  identities.command_line = "filterbank --wo all";
  return {std::move(identities), std::move(counts)};
}

report::Script script_of(LessonScript script) {
  const char* const name = text::name_of(script);
  if (script == LessonScript::kMultiHeadWeights)
    return {name,
            {"Four heads, four patterns",
             "Four heads set by hand over six tokens: what each looks at, the rank of its scores, and how "
             "many bits its rows spend."},
            {weights({}), rank({}), entropy({})}};
  if (script == LessonScript::kHeadConcatenation)
    return {name,
            {"From heads to one output",
             "Two heads over four tokens, through Concat and the output projection, and the parameters that "
             "this takes."},
            {concat({}), params({})}};
  return {name,
          {"The same output as a sum of filters",
           "The identity for three output projections, the ranks of the channel maps, and what one wide head "
           "costs beside 1, 4, 8 and 16 narrow ones."},
          filter_bank_identity()};
}

report::Explanation run_explanation() {
  return {"Lesson 09: multi-head attention",
          "Small heads set by hand, and what follows from them. Nothing here is trained, so every number "
          "can be worked out on paper. Each was computed by the command that stands above it, and the "
          "same command prints the same bytes again.",
          {},
          {{"verify", "every number that the lesson states, checked"},
           {"exercise", "six exercises: task, hint, a check of your answer, solution"},
           {"weights --plot", "the figures without a page, in the terminal"}},
          kLetters};
}

Work declare_run(options::Options& options) {
  auto chosen = std::make_shared<std::vector<LessonScript>>();
  options
      .positional("script", "SCRIPT", options::texts_of(kLessonScriptNames),
                  "which scripts, in this order (default: all)",
                  [chosen](std::size_t script) { chosen->push_back(static_cast<LessonScript>(script)); })
      .repeats = true;
  return [chosen] { return run(*chosen); };
}

}  // namespace

report::Document run(const std::vector<LessonScript>& scripts) {
  if (scripts.empty())
    return run({LessonScript::kMultiHeadWeights, LessonScript::kHeadConcatenation,
                LessonScript::kFilterBankIdentity});
  std::vector<report::Script> done;
  for (const LessonScript script : scripts) done.push_back(script_of(script));
  return {run_explanation(), std::move(done)};
}

constexpr std::array kRunExamples = {"mha run", "mha run head_concatenation", "mha run --svg figures"};
const Command kRun = {
    "run",
    "the lesson's scripts, from beginning to end",
    "Runs the lesson's standalone scripts, each under its name: multi_head_weights (weights, rank,\n"
    "entropy), head_concatenation (concat, params), filter_bank_identity (filterbank, rank).",
    kRunExamples,
    true,
    declare_run};

}  // namespace mha::commands
