#include "input/layers/read_layer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "input/formats/open_arrays.h"
#include "input/formats/place.h"
#include "input/layers/arrays.h"
#include "input/layers/read_heads.h"
#include "input/memory.h"
#include "text/field.h"

namespace mha::input {
namespace {

using text::field;

[[noreturn]] void refuse(const std::string& message) { throw std::invalid_argument(message); }

void read_projection(const Arrays& arrays, attention::Layer& layer) {
  if (layer.W_O.size() == 0) layer.W_O = arrays.matrix("W_O");
  if (layer.b_O.size() == 0) layer.b_O = arrays.row("b_O");
  if (layer.W_O.size() == 0) {
    if (layer.b_O.size() > 0) refuse(fmt::format("{}: is of no use without W_O", arrays.place("b_O")));
    return;
  }
  layer.biases += layer.b_O.size();
  Index width = 0;
  for (const attention::Head& head : layer.heads) width += head.V ? head.V->cols() : 0;
  if (width > 0)
    require_same(layer.W_O.rows(), width, fmt::format("{}: the height of W_O", layer.name),
                 "the width of Concat, H·d_v,");
  if (layer.b_O.size() > 0)
    require_same(layer.b_O.cols(), layer.W_O.cols(),
                 fmt::format("{}: the size of the output bias", layer.name), "the width of W_O");
}

void choose_mask(const LayerOptions& options, const Arrays& arrays, attention::Layer& layer) {
  const bool causal = options.mask == Masking::kCausal;
  if (causal && layer.T_q != layer.T_k && !options.align)
    refuse(fmt::format(
        "{}: has T_q = {} queries and T_k = {} keys; a causal mask needs {} top-left or bottom-right, since libraries differ, and {} none is for queries that see every key{}",
        layer.name, layer.T_q, layer.T_k, field("align"), field("mask"),
        !options.as && arrays.file().find("") != nullptr
            ? fmt::format("; an array without a name is taken for A, unless {} says what it is", field("as"))
            : ""));
  layer.shift = options.align == Align::kBottomRight ? layer.T_k - layer.T_q : 0;
  layer.rules.mask = causal ? attention::Mask{layer.shift} : attention::Mask::kNone;
}

void choose_scale(const LayerOptions& options, attention::Layer& layer) {
  layer.rules.scale = options.scale;
  for (std::size_t h = 0; options.scale && h < layer.heads.size(); ++h) {
    if (layer.heads[h].A)
      refuse(fmt::format("{} {}: {} has the weights of head {} themselves, no scores", field("scale"),
                         *options.scale, layer.name, h + 1));
  }
  const std::string name = layer.name;
  if (options.scale) layer.name = fmt::format("{} {}: {}", field("scale"), *options.scale, name);
  for (std::size_t h = 0; h < layer.heads.size(); ++h) attention::require_finite_scores(layer, h);
  layer.name = name;
}

void name_tokens(const LayerOptions& options, const Arrays& arrays, attention::Layer& layer) {
  layer.tokens = options.tokens;
  std::string where = field("tokens");
  if (layer.tokens.empty()) {
    where = place_of(layer.name, "tokens");
    if (const auto* texts = arrays.file().texts("tokens")) layer.tokens = *texts;
    if (layer.tokens.empty() && arrays.file().find("tokens") != nullptr)
      refuse(fmt::format("{}: are numbers; labels are strings, in JSON or by {}", where, field("tokens")));
  }
  const auto count = static_cast<Index>(layer.tokens.size());
  if (count > 0 && count != layer.T_k)
    refuse(fmt::format("{}: {} labels for {} key positions", where, count, layer.T_k));
}

/// Doubles read at a time.
constexpr Index kHeld = Index{1} << 18;

void check_row(attention::Layer& layer, std::size_t h, Index t, const auto& row) {
  const auto refuse = [&](const std::string& what) {
    throw std::invalid_argument(fmt::format("{}: A of head {}, row {}: {}", layer.name, h + 1, t + 1, what));
  };
  double sum = 0.0;
  for (Index i = 0; i < row.size(); ++i) {
    if (row[i] < 0.0) refuse(fmt::format("column {} is {}, and no weight is below 0", i + 1, row[i]));
    sum += row[i];
  }
  const Index visible = layer.rules.mask.visible(t, layer.T_k);
  if (visible == 0 && sum != 0.0) refuse(fmt::format("sums to {}, and sees no key: such a row is zero", sum));
  if (visible == 0) return;
  if (!(std::abs(sum - 1.0) <= kRowSumTolerance))
    refuse(fmt::format("sums to {}, not to 1 within {}", sum, kRowSumTolerance));
  for (Index i = visible; i < row.size(); ++i) {
    if (row[i] > (layer.above_diagonal ? layer.above_diagonal->weight : 0.0))
      layer.above_diagonal = {h, t, i, row[i]};
  }
}

/// Refuses given weights of which a row is no distribution, and notes the largest weight above the diagonal,
/// which is not wrong, but no causal mask. Reads every row once.
void check_weights(attention::Layer& layer) {
  const Index height = std::clamp<Index>(kHeld / layer.T_k, 1, layer.T_q);
  for (std::size_t h = 0; h < layer.heads.size(); ++h) {
    if (!layer.heads[h].A) continue;
    require_memory(layer.name + ": a row of A", sizeof(double) * static_cast<double>(layer.T_k));
    for (Index first = 0; first < layer.T_q; first += height) {
      Matrix A(std::min(height, layer.T_q - first), layer.T_k);
      layer.heads[h].A(first, A);
      for (Index r = 0; r < A.rows(); ++r) check_row(layer, h, first + r, A.row(r));
    }
  }
}

}  // namespace

attention::Layer read_layer(const LayerOptions& options) {
  const std::string nameless = text::name_of(options.as.value_or(Role::kA));
  attention::Layer layer;
  layer.name = file_name("input", options.path);
  const Arrays arrays(open_arrays(options.path, layer.name), options.prefix, nameless, options.pick);
  read_heads(arrays, options, layer);
  if (options.H && *options.H != layer.H())
    refuse(fmt::format("{} {}: {} has {} heads", field("H"), *options.H, layer.name, layer.H()));
  read_projection(arrays, layer);
  choose_mask(options, arrays, layer);
  choose_scale(options, layer);
  name_tokens(options, arrays, layer);
  check_weights(layer);
  return layer;
}

}  // namespace mha::input
