#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "input/layers/arrays.h"
#include "text/choice.h"

/// How checkpoints store the projections of an attention layer: a table, a row for each layout.
namespace mha::input {

enum class Layout {
  kLesson,
  kTorch,
  kTorchSeparate,
  kGpt2,
  kGpt2Linear,
  kLlama,
  kBert,
  kBart,
  kT5,
  kDistilbert,
  kTimm,
  kNeox,
  kTransformerlens,
  kKeras,
  kFlax
};
inline constexpr std::array kLayoutNames = {
    "lesson", "torch",      "torch-separate", "gpt2", "gpt2-linear",     "llama", "bert", "bart",
    "t5",     "distilbert", "timm",           "neox", "transformerlens", "keras", "flax"};
constexpr text::Names names_of(Layout) { return kLayoutNames; }

/// What one array holds.
enum class Packing {
  kSeparate,   ///< Q, K and V each have one
  kThirds,     ///< Q, K and V side by side
  kHeadThirds  ///< of head 1 its Q, K and V, then those of head 2, …
};

/// A row of the table. Names stand after the prefix; with | between them any one of several. Axes: l layers,
/// i what comes in, o what goes out (of a head where there is h), h heads; an array may lack l.
struct LayoutRow {
  const char* models;  ///< that have it
  Packing packing;
  Axes axes;         ///< of the weights of Q, K and V: y = x · W for "io", y = x · Wᵀ for "oi"
  Axes output_axes;  ///< of W_O
  Axes bias_axes;    ///< of the biases of Q, K and V
  const char* Q;     ///< or all three
  const char* K;
  const char* V;
  const char* O;
  const char* b_Q;  ///< or all three
  const char* b_K;
  const char* b_V;
  const char* b_O;
  bool causal = true;       ///< the default mask
  bool rotates = false;     ///< needs rope_base
  double scale = 0.0;       ///< instead of 1/√d_k; 0 for that
  const char* norms = "";   ///< names of RMS norms of Q and K, with a comma between
  const char* beside = "";  ///< names that such checkpoints have and that change nothing, with commas
};

const LayoutRow& row_of(Layout layout);

/// The names of a column of the table, those with | between them one by one.
std::vector<std::string> alternatives(std::string_view names);

/// The array by any of those names; none where the row has no name or the file no array.
Found find_any(const Arrays& arrays, std::string_view names);

/// Whether a `bias` is the causal mask for the longest text, [1, 1, n, n] with ones up to the diagonal.
bool is_causal_buffer(const Found& found);

/// Every name that the layout reads.
std::vector<std::string> names_read(const LayoutRow& row);

/// The layouts whose names the file has, as advice: `; --layout llama fits with --prefix
/// model.layers.0.self_attn.`. Empty where none fits.
std::string fitting_layouts(const Arrays& arrays);

}  // namespace mha::input
