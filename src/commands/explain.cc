#include "commands/explain.h"

#include <fmt/format.h>

#include <map>

namespace mha::commands {
namespace {

using report::Equation;
using report::Explanation;

constexpr const char* kLetters =
    "T is the number of tokens, H that of heads, d_k and d_v are their widths, d_model is the model's. Q, K and "
    "V hold a head's queries, keys and values, A its attention weights; M is the causal mask and W_O the output "
    "projection.";

/// What holds of a command's result at any options.
const std::map<std::string, Explanation>& explanations() {
  static const std::map<std::string, Explanation> table = {
      {"weights",
       {"Attention weights, head by head",
        "Row t of a head's matrix says how position t shares out its attention among the positions that it "
        "may see: no weight is negative and each row adds up to 1. Under a causal mask there is nothing above "
        "the diagonal, so that nobody looks ahead. Read on its own, a row is the impulse response of a filter.",
        {Equation::kAttentionWeights},
        {{"weights --gain 9", "longer keys sharpen heads 1 to 3; heads 2 and 3 pick a single token"},
         {"weights --gain 0 --heads 1,2", "keys of length 0: without scores every head is the uniform one"},
         {"weights --T 12 --heads 2",
          "more tokens on the same circle stand closer, and the pattern blurs"}}}},
      {"rank",
       {"Rank and cost of the scores",
        "A score matrix is T × T, but it is made of two factors that are only d_k columns wide, and its rank "
        "cannot exceed that width however many tokens there are. The last line counts what all the scores "
        "cost: H narrow heads take no more multiplications than one wide head.",
        {Equation::kScoreRank, Equation::kScoreFlops},
        {{"rank --T 64", "many more tokens, and the ranks stay"},
         {"rank --gain 0", "scores that are all 0 have rank 0"},
         {"rank --H-big 1,4,8,16", "the cost of 1, 4, 8 and 16 heads beside that of the wide one"},
         {"bench", "the same claim with a stopwatch"}}}},
      {"entropy",
       {"Selectivity in bits",
        "How many bits a row spends: 0 if it looks at one position only, log₂ t if it spreads evenly over all "
        "t that it may see. Two to the power of the bits is the number of positions that the row blends, "
        "in effect.",
        {Equation::kRowEntropy},
        {{"entropy --gain 9 --heads 1", "head 1 with keys three times as long"},
         {"entropy --gain 0", "every head at the ceiling"},
         {"entropy --T 12 --full", "twice the tokens: which heads go on rising, and which level off?"}}}},
      {"concat",
       {"Concatenation and output projection",
        "Each head brings back its own average of the values. Concat sets them side by side, a block of "
        "columns for each head, and W_O turns that into the output channels. An output channel hears several "
        "heads only if W_O lets it.",
        {Equation::kConcat},
        {{"concat --wo identity", "the output is Concat itself: no channel hears more than one head"},
         {"concat --wo swap", "the halves change places, and still none does"},
         {"concat --gain 0", "head 1 becomes uniform too"}}}},
      {"params",
       {"Parameter count",
        "How many weights the four projections have. As long as d_k is d_model/H, the heads share out the "
        "same columns and the total does not depend on how many they are.",
        {Equation::kParameters},
        {{"params --d-model 384 --H 1,2,4,6,8,12", "six head counts, one total"},
         {"params --d-model 512 --H 8,16 --d-k 64",
          "heads of a fixed width: twice the heads, twice the weights"},
         {"params --d-model 4096 --H 32 --kv-heads 8", "four query heads to a key/value head"}}}},
      {"filterbank",
       {"Multi-head attention as a sum of filters",
        "The output can be had in two ways: put the heads side by side and multiply by W_O, or let each head "
        "filter X along the tokens, send the result through its own channel map, and add up. What is printed "
        "is the largest difference between the two.",
        {Equation::kFilterBank},
        {{"filterbank --wo all --T 1000", "a thousand tokens, and the identity holds"},
         {"filterbank --T 50 --gain 0.1", "whatever the heads attend to"},
         {"exercise 1", "which output channels hear more than one head"}}}},
      {"inspect",
       {"What each head does",
        "Each head's rows are compared with the four filters that the lesson's heads come near to. The distance is "
        "the share of the weight that lies elsewhere, 0 for the filter itself and 1 for a head that shares nothing "
        "with it, in the mean over the queries. Bits and effective positions say how widely a head looks, under the "
        "ceiling of looking at everything alike; the divergence says how differently two heads look.",
        {Equation::kAttentionWeights, Equation::kRowEntropy},
        {{"weights", "the lesson's own four heads, which are near to one filter each"},
         {"entropy", "the bits of a head, row by row"}}}},
      {"compare",
       {"Another implementation, checked",
        "The same inputs, computed here and elsewhere. What is told is where the two results differ most, and by "
        "how much.",
        {Equation::kConcat},
        {{"verify", "the lesson's numbers, by which this program is checked"}}}},
      {"verify",
       {"The lesson's numbers, checked",
        "Every number that the lesson promises, to as many decimals as it gives, and beside it what is "
        "computed here.",
        {},
        {{"run", "the scripts that these numbers come from"}, {"exercise", "six questions to go on with"}}}},
      {"exercise",
       {"Exercises",
        "Six questions about the lesson's heads, each of them answered by running something.",
        {},
        {{"exercise", "the list, and which ones are solved"}}}},
      {"bench",
       {"One wide head and several narrow ones, timed",
        "Causal attention on random inputs as fast as the machine that made this page did it. The scores "
        "cost the same for any number of heads; each head adds exponentials of its own.",
        {Equation::kCausalPairs},
        {{"bench --T 2048 --H 1,2,4,8,16", "more tokens, more heads"},
         {"rank --H-big 1,4,8,16", "the same claim, counted"}}}},
  };
  return table;
}

const std::map<std::string, Explanation>& script_explanations() {
  static const std::map<std::string, Explanation> table = {
      {"multi_head_weights",
       {"Four heads, four patterns",
        "Four heads set by hand over six tokens: what each looks at, how much room its scores take, and how "
        "many bits its rows spend.",
        {},
        {}}},
      {"head_concatenation",
       {"From heads to one output",
        "Two heads over four tokens, through Concat and the output projection, and the parameters that this "
        "takes.",
        {},
        {}}},
      {"filter_bank_identity",
       {"The same output as a sum of filters",
        "The identity for three output projections, the ranks of the channel maps, and what one wide head "
        "costs beside 1, 4, 8 and 16 narrow ones.",
        {},
        {}}},
  };
  return table;
}

Explanation of(const std::map<std::string, Explanation>& table, const std::string& name) {
  const auto found = table.find(name);
  return found == table.end() ? Explanation{.title = name, .shows = {}, .equations = {}, .next = {}}
                              : found->second;
}

const std::string* text(const report::Object& values, const std::string& name) {
  const report::Value* value = report::find(values, name);
  return value != nullptr ? std::get_if<std::string>(&value->data) : nullptr;
}

/// An exercise is named by its title, and leads on to what helps with it.
void explain_exercise(const report::Report& report, Explanation& explanation) {
  const std::string* title = text(report.results, "title");
  if (title == nullptr) {
    explanation.next = {{"exercise 1", "states the first"}};
    return;
  }
  explanation.title = *title;
  const report::Count number = std::get<report::Count>(report.results.front().value.data);
  explanation.next.insert(explanation.next.begin(),
                          {{fmt::format("exercise {} --hint", number), "a hint"},
                           {fmt::format("exercise {} --template", number), "the form of an answer"},
                           {fmt::format("exercise {} --solution", number), "the solution, and why"}});
}

bool has_own_heads(const report::Report& report) { return text(report.parameters, "input") != nullptr; }

/// Heads of one's own are looked at further with the options that they were read by. What the lesson's heads
/// do at other options is beside the point then.
std::vector<report::NextStep> next_for_own_heads(const report::Report& report) {
  const std::size_t options = report.command_line.find(" --input ");
  // Not every command takes --T.
  if (options == std::string::npos || report.command_line.find(" --T ") != std::string::npos) return {};
  const std::string heads = report.command_line.substr(options);
  if (report.command == "inspect") {
    return {{"weights" + heads, "the attention weights in numbers"},
            {"entropy" + heads, "the bits of each head, row by row"}};
  }
  if (report.command == "weights" || report.command == "entropy") {
    return {{"inspect" + heads, "what each head does, and which heads do the same"}};
  }
  return {};
}

void explain(report::Report& report) {
  report.explanation = of(explanations(), report.command);
  if (report.command == "exercise") explain_exercise(report, report.explanation);
  if (report.command == "rank" && report.figures.empty())
    report.explanation.title = "One wide head or several narrow ones";
  if (has_own_heads(report) && report.command != "compare") {
    report.explanation.next = next_for_own_heads(report);
  }
  // Where to go next is elsewhere.
  std::erase_if(report.explanation.next,
                [&](const report::NextStep& step) { return step.command_line == report.command_line; });
}

}  // namespace

void explain(report::Document& document) {
  if (document.is_one_command()) {
    report::Report& report = document.scripts.front().steps.front();
    explain(report);
    document.explanation = report.explanation;
    // A page of one command is read by itself.
    if (!report.explanation.equations.empty()) document.explanation.letters = kLetters;
    return;
  }
  for (report::Script& script : document.scripts) {
    script.explanation = of(script_explanations(), script.name);
    for (report::Report& step : script.steps) explain(step);
  }
  document.explanation = {
      .title = "Lesson 09: multi-head attention",
      .shows =
          "Small heads set by hand, and what follows from them. Nothing here is trained, so every number "
          "can be worked out on paper. Each was computed by the command that stands above it, and the "
          "same command prints the same bytes again.",
      .equations = {},
      .next = {{"verify", "every number that the lesson promises, checked"},
               {"exercise", "six exercises: task, hint, a check of your answer, solution"},
               {"weights --plot", "the figures without a page, in the terminal"}},
      .letters = kLetters};
}

}  // namespace mha::commands
