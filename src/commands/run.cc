#include "commands/run.h"

#include <array>
#include <memory>
#include <utility>

#include "commands/concat.h"
#include "commands/entropy.h"
#include "commands/filterbank.h"
#include "commands/params.h"
#include "commands/rank.h"
#include "commands/weights.h"

namespace mha::commands {
namespace {

std::vector<report::Report> multi_head_weights() { return {weights({}), rank({}), entropy({})}; }

std::vector<report::Report> head_concatenation() { return {concat({}), params({})}; }

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
  switch (script) {
    case LessonScript::kMultiHeadWeights:
      return {"",
              {"Four heads, four patterns",
               "Four heads set by hand over six tokens: what each looks at, the rank of its scores, and how "
               "many bits its rows spend."},
              multi_head_weights()};
    case LessonScript::kHeadConcatenation:
      return {
          "",
          {"From heads to one output",
           "Two heads over four tokens, through Concat and the output projection, and the parameters that "
           "this takes."},
          head_concatenation()};
    case LessonScript::kFilterBankIdentity:
      break;
  }
  return {"",
          {"The same output as a sum of filters",
           "The identity for three output projections, the ranks of the channel maps, and what one wide head "
           "costs beside 1, 4, 8 and 16 narrow ones."},
          filter_bank_identity()};
}

report::Explanation explanation() {
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

Work declare(options::Options& options) {
  auto chosen = std::make_shared<std::vector<LessonScript>>();
  options
      .positional("script", "SCRIPT", options::texts_of(kLessonScriptNames),
                  "which scripts, in this order (default: all)",
                  [chosen](std::size_t script) { chosen->push_back(static_cast<LessonScript>(script)); })
      .repeats = true;
  return [chosen] { return run(*chosen); };
}

}  // namespace

report::Document run(const std::vector<LessonScript>& chosen) {
  std::vector<LessonScript> scripts = chosen;
  for (std::size_t i = 0; chosen.empty() && i < kLessonScriptNames.size(); ++i)
    scripts.push_back(static_cast<LessonScript>(i));
  std::vector<report::Script> done;
  for (const LessonScript script : scripts) {
    done.push_back(script_of(script));
    done.back().name = text::name_of(script);
  }
  return {explanation(), std::move(done)};
}

constexpr std::array kExamples = {"mha run", "mha run head_concatenation", "mha run --svg figures"};
const Command kRun = {
    "run",
    "the lesson's scripts, from beginning to end",
    "Runs the lesson's standalone scripts, each under its name: multi_head_weights (weights, rank,\n"
    "entropy), head_concatenation (concat, params), filter_bank_identity (filterbank, rank).",
    kExamples,
    true,
    declare};

}  // namespace mha::commands
