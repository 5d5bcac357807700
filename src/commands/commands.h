#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/counts.h"
#include "commands/expected_array.h"
#include "commands/heads.h"
#include "lessons/09-multi-head-attention/lesson.h"

/// What a command is, and every one of them: its options, and its work, from these to a report. Each has a
/// file of its own.
namespace mha::commands {

/// What a command does once its options are read.
using Work = std::function<report::Document()>;

/// One command: what `mha NAME` is called, says of itself, takes and does.
struct Command {
  const char* name;
  const char* summary;      ///< one line, for `mha --help`
  const char* description;  ///< for `mha NAME --help`
  std::span<const char* const> examples;
  bool draws;  ///< has figures, and so --plot, --svg and --color
  /// Declares the command's options and returns what to do once they are read.
  Work (*declare)(options::Options& options);
  bool needs_output = false;  ///< has no use without a file for its arrays
};

/// The declare function of a command that is a function from its options to a report: `declared<HeadOptions>(
/// options, declare_heads, weights)` declares options of that type and works with them.
template <typename Chosen, typename Declare, typename Run>
Work declared(options::Options& options, const Declare& declare, const Run& run) {
  auto chosen = std::make_shared<Chosen>();
  declare(options, *chosen);
  return [chosen, run] { return report::Document(run(*chosen)); };
}

/// The attention weights A_h of each head, and head 4's row min(4, T) if head 4 is among them.
report::Report weights(const HeadOptions& options);
extern const Command kWeights;

struct ConcatOptions {
  Source source = {};
  lesson09::Projection wo = lesson09::Projection::kMixing;
};

/// Concat = [O_1, O_2], O = Concat · W_O, their shapes and the parameter count.
report::Report concat(const ConcatOptions& options);
extern const Command kConcat;

/// What to count. An option that was not given keeps the lesson's value; when none was, the lesson's
/// block is printed instead of a table.
struct ParamsOptions {
  std::optional<analysis::Count> d_model;         ///< 4
  std::optional<std::vector<analysis::Count>> H;  ///< 2; a row of the table for each
  std::optional<analysis::Count> d_k;             ///< d_model / H
  std::optional<analysis::Count> kv_heads;        ///< H
  bool bias = false;
  input::LayerOptions file = {};  ///< a layer to count instead; its path is empty for none
};

/// Parameter counts; without options, and for a file with packed projections, the lesson's line, the packed
/// W_Q and the slice error. Throws std::invalid_argument for an H that does not divide d_model, key/value
/// heads that do not divide H, and counts beyond 2^63.
report::Report params(const ParamsOptions& options);
extern const Command kParams;

/// Which W_O: one of the lesson's, or each of them in turn.
enum class BankProjection { kMixing, kIdentity, kSwap, kAll };
inline constexpr std::array kBankProjectionNames = {"mixing", "identity", "swap", "all"};
constexpr text::Names names_of(BankProjection) { return kBankProjectionNames; }

struct FilterbankOptions {
  Source source = {};
  BankProjection wo = BankProjection::kMixing;
};

/// The filter-bank identity: its largest deviation for one W_O, or for every one followed by the ranks
/// of the channel maps W_V^h W_O^(h).
report::Report filterbank(const FilterbankOptions& options);
extern const Command kFilterbank;

/// The row entropies of each head's attention weights in bits, beside t and the ceiling log₂ t.
report::Report entropy(const HeadOptions& options);
extern const Command kEntropy;

struct RankOptions {
  HeadOptions heads;
  analysis::Count T_big = 1024;
  analysis::Count d_big = 512;
  std::vector<analysis::Count> H_big = {8};
  /// Singular values up to it count as 0; by the inputs' precision unless given.
  std::optional<double> tolerance = {};
};

/// The ranks of the score matrices Q_h K_hᵀ, and the score FLOPs of one wide head against H narrow ones
/// (a count for each H asked for). Throws std::invalid_argument for an H that does not divide d_big.
report::Report rank(const RankOptions& options);
extern const Command kRank;

/// The lesson's standalone scripts, in the lesson's order.
enum class LessonScript { kMultiHeadWeights, kHeadConcatenation, kFilterBankIdentity };
inline constexpr std::array kLessonScriptNames = {"multi_head_weights", "head_concatenation",
                                                  "filter_bank_identity"};
constexpr text::Names names_of(LessonScript) { return kLessonScriptNames; }

/// Runs those scripts, in that order; all where none is named.
report::Document run(const std::vector<LessonScript>& scripts);
extern const Command kRun;

/// The lesson's expected numbers, or checks that somebody else made, a row each; the report is not ok if any
/// of them is not.
report::Report verify(const std::vector<lesson09::Check>& expected = lesson09::expected_numbers());
extern const Command kVerify;

/// Which exercise, and what to do with it. At most one of the flags and `check` may be given.
struct ExerciseOptions {
  int number = 0;  ///< 0 for all of them
  bool hint = false;
  bool form = false;
  bool solution = false;
  bool reset = false;
  std::string check;                  ///< the file of an answer, or empty
  std::filesystem::path solved_file;  ///< where solved ones are noted; empty for nowhere
};

/// The list, or an exercise's task, hint, form, solution or the judgement of an answer; not ok when the
/// answer is not right. A right answer is noted; when that fails, the report says so and nothing else
/// suffers. Throws std::invalid_argument for options that do not go together and for a file that holds no
/// answer, std::runtime_error when what is noted cannot be forgotten.
report::Report exercise(const ExerciseOptions& options);
extern const Command kExercise;

/// What each head of a person's own does: the nearest of the textbook filters and how far it is, beside the
/// runner-up's; mean bits and effective positions; the rank of its scores where Q and K are known; its share
/// of the output, ‖A_h V_h W_O^(h)‖_F over the sum of all heads', where V and W_O are. And between heads the
/// mean Jensen–Shannon divergence of their rows.
report::Report inspect(const HeadOptions& options);
extern const Command kInspect;

struct CompareOptions {
  input::LayerOptions file;
  ExpectedOptions expected;
  std::optional<double> tolerance = {};  ///< atol, with an rtol of 0
  std::optional<double> atol;
  std::optional<double> rtol;  ///< by the coarser precision of the inputs and what is expected, unless given
};

/// Computes what the expected array is from a person's own inputs, and says where the two differ most. An
/// entry agrees where |Δ| ≤ atol + rtol · s, s being the largest |computed| of its row and head: an error
/// counts against the size of the result. Where it does not agree, the slips of other implementations that
/// explain it are named. Not ok unless every entry agrees.
report::Report compare(const CompareOptions& options);
extern const Command kCompare;

/// The layouts that a file's projections can have.
extern const Command kLayouts;

struct BenchOptions {
  analysis::Count T = 1024;
  analysis::Count d_model = 512;
  std::vector<analysis::Count> H = {1, 8};
  analysis::Count repeat = 5;
  std::uint64_t seed = 1;
};

/// Causal attention of H heads on standard normal inputs, measured: scores, softmax and A V, as long as
/// attention::concat takes. A row for each H. Throws std::invalid_argument for an H that does not divide
/// d_model, for counts beyond 2^63 and for inputs that cannot be held.
report::Report bench(const BenchOptions& options);
extern const Command kBench;

struct SampleOptions {
  Index T = 64;
  Index d_model = 64;
  Index H = 4;
  std::optional<Index> kv_heads;  ///< H unless given
  std::uint64_t seed = 1;
  std::vector<std::string> set;  ///< NAME=VALUE: how the layer attends
};

/// Standard normal Q [H, T, d_k], K and V [kv_heads, T, d_k] and W_O [d_model, d_model], with d_k =
/// d_model/H, and what attention makes of them: A [H, T, T], O_concat and O [T, d_model]. Throws
/// std::invalid_argument for heads that do not divide evenly, for settings as input::read_layer does, and for
/// what cannot be held.
report::Report sample(const SampleOptions& options);
extern const Command kSample;

}  // namespace mha::commands
