#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "attention/layer.h"
#include "input/layers/read_layer.h"
#include "lessons/09-multi-head-attention/lesson.h"
#include "options/options.h"
#include "report/report.h"

/// The layers that commands work on: the lesson's hand-set heads or those of a file. Once it is loaded, no
/// command asks where a layer came from.
namespace mha::commands {

using SharedLayer = std::shared_ptr<const attention::Layer>;

/// Where a layer comes from.
struct Source {
  std::optional<Index> T = {};    ///< how many tokens: the lesson's own if unset; a file has to hold as many
  double gain = lesson09::kGain;  ///< of the lesson's heads
  input::LayerOptions file = {};  ///< whose path is empty for the lesson's heads
};

/// A layer, and what results say of it.
struct Loaded {
  SharedLayer layer;
  std::string title;          ///< for titles: `gain 3`, `model.npz`
  report::Object parameters;  ///< where it came from
  /// The output projections to show, by name: the lesson's that were asked for; the file's, without a name.
  std::vector<std::pair<std::string, Matrix>> projections = {};
};

/// The lesson's four heads, or the file's. Throws std::invalid_argument when they cannot be held, when a
/// score would overflow, and as input::read_layer does.
Loaded load_heads(const Source& source);

/// The lesson's two-head pipeline with these output projections, or the file's layer with its own.
Loaded load_pipeline(const Source& source, const std::vector<lesson09::Projection>& projections);

/// Options that a command has itself, with another meaning.
struct OwnOptions {
  bool own_H = false;
  bool own_as = false;
};

/// Declares --input and what goes with it.
void declare_file(options::Options& options, input::LayerOptions& file, OwnOptions own = {});

/// Declares where the heads come from: --input and what goes with it, --T and --gain.
void declare_source(options::Options& options, Source& source, const std::string& default_T,
                    const std::string& gain_help);

/// Throws std::invalid_argument where no file is named.
void require_file(const input::LayerOptions& file);

/// For titles: `T = 6`, or `T_q = 2, T_k = 5`.
std::string sizes_of(const attention::Layer& layer);

/// Positions that are called after the tokens where they are known; position k is token k + first, and has
/// no name where there is none.
report::Axis token_axis(const char* name, Index first, const SharedLayer& layer);

/// Some queries: `query 1`, `queries 1 to 3, 5`, and how many.
struct Queries {
  std::string words;
  report::Count count;
};
Queries queries_where(const attention::Layer& layer, const std::function<bool(Index t)>& is_meant);

/// Those that see no key in any head, and have rows of zeros.
Queries queries_without_keys(const attention::Layer& layer);

/// Adds what a reader has to know of the layer: which corner the mask is lined up with, queries that see no
/// key, weights above the diagonal; and what of its file nothing reads.
void add_remarks(const attention::Layer& layer, report::Report& report);

/// `[O_1, O_2]`, `[O_1, ..., O_8]`: H matrices of that letter side by side.
std::string side_by_side(std::string_view letter, Index H);

/// Throws std::invalid_argument, naming both options, if H heads do not divide that width evenly.
void require_even_heads(const std::string& heads_option, report::Count H, const std::string& width_option,
                        report::Count width);

/// What belongs to an option that takes one number or a list: the value alone where there is one.
report::Value one_or_list(const report::List& values);
report::Value one_or_list(const std::vector<report::Count>& counts);

/// What --set is, in the help.
extern const char* const kSetHelp;

/// What the letters in the equations of a page stand for.
extern const char* const kLetters;

/// Whether query t may see t keys: log₂ t is then the ceiling of a row's entropy, and otherwise log₂ n.
bool sees_its_past(const attention::Layer& layer);

/// The explanation with its equations and letters as they are for that layer.
report::Explanation explained(report::Explanation explanation, const attention::Layer& layer);

}  // namespace mha::commands
