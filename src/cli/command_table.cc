#include "cli/command_table.h"

#include <fmt/format.h>

#include <cstdlib>
#include <limits>
#include <memory>
#include <stdexcept>

#include "cli/in_quotes.h"
#include "cli/own_options.h"
#include "commands/bench.h"
#include "commands/compare.h"
#include "commands/concat.h"
#include "commands/entropy.h"
#include "commands/exercise.h"
#include "commands/filterbank.h"
#include "commands/inspect.h"
#include "commands/params.h"
#include "commands/rank.h"
#include "commands/run.h"
#include "commands/verify.h"
#include "commands/weights.h"
#include "state/solved_exercises.h"

namespace mha::cli {
namespace {

using Work = std::function<report::Document()>;

/// --T, which a file of one's own settles: given beside it, the two have to agree.
void token_option(Options& options, Index& T, input::ModelOptions& own) {
  options.whole("--T", T, "N", "number of tokens", "a file's own");
  options.check([&T, &own](const Options& read) {
    if (!own.file.empty() && read.was_given("--T")) own.T = T;
  });
}

void head_options(Options& options, commands::HeadOptions& heads) {
  own_options(options, heads.own, {"--gain"});
  token_option(options, heads.T, heads.own);
  options.number("--gain", heads.gain, "G", "size of the keys, and of the queries of heads 2 and 3");
  const auto most = [&heads] {
    return heads.own.file.empty() ? int{lesson09::kHeads} : std::numeric_limits<int>::max();
  };
  options.wholes("--heads", heads.heads, most, "which of the heads 1 to 4, or of your own, repeats allowed",
                 "all of a file's");
  options.check([&heads](const Options& read) {
    if (!heads.own.file.empty() && !read.was_given("--heads")) heads.heads.clear();
  });
}

void require_input(const input::ModelOptions& own) {
  if (own.file.empty()) throw std::invalid_argument("--input: a file with heads is needed");
}

void pipeline_options(Options& options, commands::PipelineOptions& pipeline,
                      const std::vector<std::string>& projections) {
  own_options(options, pipeline.own, {"--gain", "--wo"});
  token_option(options, pipeline.T, pipeline.own);
  options.number("--gain", pipeline.gain, "G", "size of head 1's queries and keys");
  options.choice("--wo", pipeline.wo, projections, "the output projection W_O");
}

Work weights(Options& options) {
  auto chosen = std::make_shared<commands::HeadOptions>();
  head_options(options, *chosen);
  return [chosen] { return commands::weights(*chosen); };
}

Work concat(Options& options) {
  auto chosen = std::make_shared<commands::PipelineOptions>();
  pipeline_options(options, *chosen, lesson09::kOutputProjections);
  return [chosen] { return commands::concat(*chosen); };
}

Work inspect(Options& options) {
  auto chosen = std::make_shared<commands::HeadOptions>();
  chosen->heads.clear();
  own_options(options, chosen->own, {});
  options.wholes(
      "--heads", chosen->heads, [] { return std::numeric_limits<int>::max(); }, "which heads (default: all)");
  options.check([chosen](const Options&) { require_input(chosen->own); });
  return [chosen] { return commands::inspect(*chosen); };
}

Work compare(Options& options) {
  auto chosen = std::make_shared<commands::CompareOptions>();
  own_options(options, chosen->own, {});
  options.path("--expect", chosen->expect, "FILE", "what another implementation computed: A, O or O_concat");
  options.number("--tolerance", chosen->tolerance, "D", "the largest difference that is ok");
  options.check([chosen](const Options&) {
    require_input(chosen->own);
    if (chosen->expect.empty()) throw std::invalid_argument("--expect: a file to compare with is needed");
    if (chosen->tolerance < 0.0)
      throw std::invalid_argument(fmt::format("--tolerance: {} is below 0", chosen->tolerance));
    chosen->expect_name = "--expect " + in_quotes(chosen->expect);
  });
  return [chosen] { return commands::compare(*chosen); };
}

Work params(Options& options) {
  auto chosen = std::make_shared<commands::ParamsOptions>();
  own_options(options, chosen->own, {}, false);
  options.whole("--d-model", chosen->d_model, "N", "width of the model (default: 4)");
  options.wholes("--H", chosen->H,
                 "head counts, a row for each; with --input how many heads are packed (default: 2)");
  options.whole("--d-k", chosen->d_k, "N", "width of a head (default: d_model/H)");
  options.whole("--kv-heads", chosen->kv_heads, "N",
                "key/value heads, shared evenly by the H heads (default: H)");
  options.flag("--bias", chosen->bias, "count a bias for each output of W_Q, W_K, W_V and W_O");
  return [chosen] { return commands::params(*chosen); };
}

Work filterbank(Options& options) {
  auto chosen = std::make_shared<commands::PipelineOptions>();
  std::vector<std::string> projections = lesson09::kOutputProjections;
  projections.push_back(commands::kEveryProjection);
  pipeline_options(options, *chosen, projections);
  return [chosen] { return commands::filterbank(*chosen); };
}

Work entropy(Options& options) {
  auto chosen = std::make_shared<commands::HeadOptions>();
  head_options(options, *chosen);
  return [chosen] { return commands::entropy(*chosen); };
}

Work rank(Options& options) {
  auto chosen = std::make_shared<commands::RankOptions>();
  head_options(options, chosen->heads);
  options.whole("--T-big", chosen->T_big, "N", "number of tokens in the FLOP count");
  options.whole("--d-big", chosen->d_big, "N", "width of the wide head");
  options.wholes("--H-big", chosen->H_big, "head counts to set against the wide head, a FLOP count for each");
  return [chosen] { return commands::rank(*chosen); };
}

Work run(Options& options) {
  auto chosen = std::make_shared<std::vector<std::string>>();
  options.words("SCRIPT", *chosen, commands::script_names(), "which scripts, in this order (default: all)");
  return [chosen] { return commands::run(*chosen); };
}

Work exercise(Options& options) {
  auto chosen = std::make_shared<commands::ExerciseOptions>();
  auto number = std::make_shared<std::string>();
  options.word("N", *number, commands::exercise_numbers(), "which exercise; without it all are listed");
  options.flag("--hint", chosen->hint, "a hint");
  options.flag("--template", chosen->form, "the form of an answer, to be filled in");
  options.path("--check", chosen->check, "FILE", "judge the answer in a file; - is standard input");
  options.flag("--solution", chosen->solution, "the solution, its numbers and why");
  options.flag("--reset", chosen->reset, "forget that it was solved; without N forget all");
  return [chosen, number] {
    if (!number->empty()) chosen->number = std::stoi(*number);
    chosen->check_name = "--check " + in_quotes(chosen->check);
    chosen->solved_file = state::file(std::getenv("XDG_STATE_HOME"), std::getenv("HOME"));
    return commands::exercise(*chosen);
  };
}

Work verify(Options&) {
  return [] { return commands::verify(); };
}

Work bench(Options& options) {
  auto chosen = std::make_shared<commands::BenchOptions>();
  options.whole("--T", chosen->T, "N", "number of tokens");
  options.whole("--d-model", chosen->d_model, "N", "width of the model, shared evenly by the heads");
  options.wholes("--H", chosen->H, "head counts, a row for each");
  options.whole("--repeat", chosen->repeat, "N", "runs of each, of which the median counts");
  options.whole("--seed", chosen->seed, "N", "seed of the inputs");
  return [chosen] { return commands::bench(*chosen); };
}

}  // namespace

const std::vector<Command>& command_table() {
  static const std::vector<Command> table = {
      {"weights",
       "attention weights of the four hand-set heads",
       "The attention weights A_h = softmax(Q_h K_h'/sqrt(d_k) + M) of the four hand-set heads: first\n"
       "token, previous token, self, uniform. Rows are queries, columns keys.",
       {"mha weights", "mha weights --T 8 --gain 6 --heads 1,2", "mha weights --plot",
        "mha weights --svg figures"},
       true,
       weights},
      {"concat",
       "two heads through Concat and W_O",
       "The two-head pipeline: Concat = [O_1, O_2], O = Concat*W_O, their shapes and the parameter count.\n"
       "X is T x 4 with ones on its diagonal.",
       {"mha concat --T 4", "mha concat --wo swap --format json"},
       true,
       concat},
      {"params",
       "how many parameters an attention block has",
       "Parameters of W_Q, W_K, W_V and W_O: 4*d_model^2 when d_k = d_model/H. Without options, the "
       "lesson's\n"
       "count, its packed W_Q and the slice error.",
       {"mha params", "mha params --d-model 384 --H 1,2,4,6,8,12",
        "mha params --d-model 4096 --H 32 --kv-heads 8"},
       true,
       params},
      {"filterbank",
       "multi-head attention as a sum of filters",
       "The filter-bank identity Concat*W_O = sum_h A_h X W_V^h W_O^(h): the largest deviation between its\n"
       "two sides. With all, for every W_O, and the ranks of the channel maps W_V^h W_O^(h).",
       {"mha filterbank", "mha filterbank --wo all --T 32"},
       true,
       filterbank},
      {"entropy",
       "how selective each head is, in bits",
       "Row entropies of A_h in bits beside their ceiling log2 t. 2^bits is how many positions a query\n"
       "blends.",
       {"mha entropy", "mha entropy --gain 9 --heads 1"},
       true,
       entropy},
      {"rank",
       "ranks of the score matrices, and their FLOPs",
       "Ranks of the score matrices Q_h K_h': singular values above max(T_q, T_k) * s_max * 2^-52, found from\n"
       "the two factors. Then the FLOPs of the scores, a multiply-add counting two and every pair counted: one\n"
       "wide head against H narrow ones.",
       {"mha rank", "mha rank --T 64 --heads 2,3", "mha rank --H-big 1,4,8,16"},
       true,
       rank},
      {"run",
       "the lesson's scripts, from beginning to end",
       "Runs the lesson's standalone scripts, each under its name: multi_head_weights (weights, rank,\n"
       "entropy), head_concatenation (concat, params), filter_bank_identity (filterbank, rank).",
       {"mha run", "mha run head_concatenation", "mha run --svg figures"},
       true,
       run},
      {"verify",
       "check every number that the lesson promises",
       "Computes the lesson's expected numbers and says of each whether it comes out. The exit status is 1\n"
       "if one does not.",
       {"mha verify", "mha verify --format json"},
       false,
       verify},
      {"exercise",
       "the lesson's exercises: task, hint, check, solution",
       "The lesson's six exercises. Without N the list, and which are solved; with N its task. An answer is\n"
       "JSON in the form that --template prints. --check exits with 0 when the answer is right, with 1 when\n"
       "it is not, saying what is off, and with 2 when it is no answer.",
       {"mha exercise", "mha exercise 4", "mha exercise 4 --template", "mha exercise 4 --solution"},
       false,
       exercise},
      {"inspect",
       "what the heads of your own model do",
       "For each head of a model of your own: which textbook filter it is nearest to, mean bits and effective\n"
       "positions, the rank of its scores, its share of the output; and which heads repeat each other.",
       {"mha inspect --input heads.npz",
        "mha inspect --input model.safetensors --layout gpt2 --prefix h.5.attn. --H 12 --x ln1_out.npy",
        "mha inspect --input heads.json --plot"},
       true,
       inspect},
      {"compare",
       "check another implementation's output",
       "Computes A, Concat or O from the inputs in a file and compares it with what another implementation\n"
       "made of them: the largest difference, where, and both values. The exit status is 1 beyond the\n"
       "tolerance.",
       {"mha compare --input qkv.npz --expect out.npy",
        "mha compare --input qkv.npz --expect out.npy --tolerance 1e-5"},
       false,
       compare},
      {"bench",
       "what one wide head and several narrow ones cost, measured",
       "Causal attention (scores, softmax, A*V, in double) on normal random inputs, timed for each\n"
       "head count: H narrow heads cost what one wide head costs, but for the exponentials.",
       {"mha bench", "mha bench --T 2048 --H 1,2,4,8,16", "mha bench --T 4096 --H 8 --repeat 1"},
       false,
       bench},
  };
  return table;
}

}  // namespace mha::cli
