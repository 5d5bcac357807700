#include "input/layers/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "input/layers/layouts.h"
#include "input/memory.h"
#include "text/field.h"

namespace mha::input {
namespace {

using attention::SharedMatrix;
using text::field;

/// Where the queries stand among the keys: query t at position t + shift; how far ahead they see.
void place_queries(const Arrays& arrays, const LayerOptions& options, const Settings& settings, Index T_k,
                   attention::Layer& layer) {
  attention::Mask& mask = layer.rules.mask;
  const bool square = layer.T_q == T_k;
  const std::optional<Index> offset = settings.whole("offset");
  for (const auto& [option, setting, there] : {std::tuple("mask", "causal", options.mask.has_value()),
                                               {"align", "offset", options.align.has_value()},
                                               {"scale", "scale", options.scale.has_value()}}) {
    if (there && settings.is_given(setting))
      throw std::invalid_argument(
          fmt::format("{}: {} {} says the same", field(option), field("set"), setting));
  }
  const bool open_layout = options.layout && !row_of(*options.layout).causal;
  const bool causal = options.mask ? *options.mask == Masking::kCausal
                                   : settings.number("causal").value_or(open_layout ? 0.0 : 1.0) == 1.0;
  if (open_layout && !options.mask && !settings.number("causal"))
    layer.said.emplace_back("mask", fmt::format("none, as {} has it", text::name_of(*options.layout)));
  if (options.align) {
    layer.shift = *options.align == Align::kBottomRight ? T_k - layer.T_q : 0;
  } else if (offset) {
    layer.shift = *offset;
    layer.said.emplace_back("offset", fmt::to_string(*offset));
  } else if (causal && !square) {
    refuse(
        layer.name,
        fmt::format(
            "has T_q = {} queries and T_k = {} keys; a causal mask needs {} top-left or bottom-right, since "
            "libraries differ, and {} none is for queries that see every key{}",
            layer.T_q, T_k, field("align"), field("mask"),
            !options.as && arrays.file().find("") != nullptr
                ? fmt::format("; an array without a name is taken for A, unless {} says what it is",
                              field("as"))
                : ""));
  }
  mask.offset = causal ? layer.shift : attention::Mask::kFar;
  layer.placed = causal || square || options.align || offset;
  if (const auto window = settings.whole("window")) {
    require_place(layer, "window");
    mask.from = layer.shift - *window + 1;
    layer.said.emplace_back("window", fmt::to_string(*window));
  }
  if (const auto length = settings.whole("kv_length")) {
    if (*length > T_k) refuse(layer.name, fmt::format("kv_length {}: there are {} keys", *length, T_k));
    mask.length = *length;
    layer.said.emplace_back("kv_length", fmt::to_string(*length));
  }
}

/// Which of the sequences of such an array is meant, from 0. It has to have as many as the inputs.
Index sequence(const Found& found, const LayerOptions& options, const attention::Layer& layer) {
  const Index sequences = found.array->shape.front();
  if (sequences != layer.batches)
    refuse(array_place(found),
           fmt::format("is {}: {} sequences, where {} {}", shown_shape(found.array->shape), sequences,
                       layer.name, layer.batches == 1 ? "is one" : fmt::format("has {}", layer.batches)));
  return options.pick.batch.value_or(1) - 1;
}

/// [T_k] or [B, T_k]: true for a token, false for padding.
void read_key_mask(const Arrays& arrays, const LayerOptions& options, Index T_k, attention::Layer& layer) {
  const Found found = arrays.find_beside("key_mask");
  if (found.array == nullptr) return;
  const std::vector<Index>& shape = found.array->shape;
  std::vector<double> values = all_entries(found);
  if (shape.size() == 2 && shape[0] > 1) {
    const Index b = sequence(found, options, layer);
    values = {values.begin() + b * shape[1], values.begin() + (b + 1) * shape[1]};
  }
  if (shape.empty() || shape.size() > 2 || shape.back() != T_k)
    refuse(array_place(found), fmt::format("is {}; it has to be [{}] or [batch, {}], a value for each key",
                                           shown_shape(shape), T_k, T_k));
  auto before = std::make_shared<std::vector<Index>>(1, 0);
  for (const double value : values) {
    if (value != 0.0 && value != 1.0)
      refuse(array_place(found), fmt::format("{} is neither true nor false", value));
    before->push_back(before->back() + static_cast<Index>(value));
  }
  layer.said.emplace_back("key_mask", fmt::format("{} of {} keys", before->back(), T_k));
  if (before->back() < T_k) layer.rules.mask.tokens_before = std::move(before);
}

/// What is added to the scores: [T_q, T_k], [H, T_q, T_k] or [B, 1 or H, T_q, T_k], sizes of 1 for all.
void read_mask(const Arrays& arrays, const LayerOptions& options, Index T_k, attention::Layer& layer) {
  const Found found = arrays.find_beside("mask");
  if (found.array == nullptr) return;
  const std::string place = array_place(found);
  const std::string& dtype = found.array->dtype;
  const bool truths = dtype == "bool";
  if (!truths && !dtype.starts_with("float") && !dtype.starts_with("bfloat"))
    refuse(place, fmt::format("is of {}: a mask is bool (true may be seen) or floats that are added", dtype));
  std::vector<Index> shape = found.array->shape;
  const Index H = layer.H();
  if (shape.size() < 2 || shape.size() > 4)
    refuse(place, fmt::format("is {}; it has to be [T_q, T_k], [H, T_q, T_k] or [batch, H, T_q, T_k]",
                              shown_shape(shape)));
  const std::vector<double> values = all_entries(found, Finite::kNotRequired);
  while (shape.size() < 4) shape.insert(shape.begin(), 1);
  const std::vector<Index> whole = {shape[0], H, layer.T_q, T_k};
  const Index b = shape[0] > 1 ? sequence(found, options, layer) : 0;
  for (std::size_t axis = 1; axis < 4; ++axis) {
    if (shape[axis] != 1 && shape[axis] != whole[axis])
      refuse(place, fmt::format(
                        "is {}; with H = {}, T_q = {} and T_k = {} it has to be [T_q, T_k], [H, T_q, T_k] or "
                        "[batch, H, T_q, T_k], or 1 in place of a size",
                        shown_shape(found.array->shape), H, layer.T_q, T_k));
  }
  bool ones = false;
  bool others = false;
  for (const double value : values) {
    if (std::isnan(value) || value == std::numeric_limits<double>::infinity())
      refuse(place, fmt::format("{} cannot be added to a score", value));
    ones = ones || value == 1.0;
    others = others || (value != 0.0 && value != 1.0);
  }
  if (!truths && ones && !others)
    refuse(place, "holds only 0 and 1: as bool it would say what may be seen, as floats what is added");
  require_memory(place,
                 static_cast<double>(shape[1] * layer.T_q) * static_cast<double>(T_k) * sizeof(double));
  std::vector<SharedMatrix> of_heads;
  for (Index h = 0; h < shape[1]; ++h) {
    Matrix M(layer.T_q, T_k);
    for (Index t = 0; t < layer.T_q; ++t) {
      for (Index i = 0; i < T_k; ++i) {
        const Index row = (b * shape[1] + h) * shape[2] + (shape[2] == 1 ? 0 : t);
        const double value = values[static_cast<std::size_t>(row * shape[3] + (shape[3] == 1 ? 0 : i))];
        M(t, i) = !truths ? value : value == 1.0 ? 0.0 : -std::numeric_limits<double>::infinity();
      }
    }
    of_heads.push_back(std::make_shared<const Matrix>(std::move(M)));
  }
  for (std::size_t h = 0; h < layer.heads.size(); ++h) layer.heads[h].M = of_heads[shape[1] == 1 ? 0 : h];
  layer.said.emplace_back("mask",
                          fmt::format("{} {}", truths ? "bool" : "added", shown_shape(found.array->shape)));
}

void read_sinks(const Arrays& arrays, attention::Layer& layer) {
  const Found found = arrays.find_beside("sinks");
  if (found.array == nullptr) return;
  const Matrix sinks = row_of_size(found, layer.H(), "one for each head");
  for (Index h = 0; h < layer.H(); ++h) layer.heads[static_cast<std::size_t>(h)].sink = sinks(0, h);
  layer.said.emplace_back("sinks", fmt::format("{}, one for each head", layer.H()));
}

/// Given weights that nobody said a mask of: they show it themselves where T_q ≠ T_k.
void find_mask(attention::Layer& layer) {
  Index farthest = -layer.T_q;  // the largest i − t of a weight above 0
  constexpr Index kDoublesHeld = Index{1} << 18;
  const Index height = std::clamp<Index>(kDoublesHeld / layer.T_k, 1, layer.T_q);
  for (const attention::Head& head : layer.heads) {
    for (Index first = 0; first < layer.T_q; first += height) {
      Matrix A(std::min(height, layer.T_q - first), layer.T_k);
      head.A(first, A);
      for (Index r = 0; r < A.rows(); ++r) {
        Index last = layer.T_k - 1;
        while (last >= 0 && A(r, last) == 0.0) --last;
        farthest = std::max(farthest, last - (first + r));
      }
    }
  }
  const Index bottom_right = layer.T_k - layer.T_q;
  const bool fits = bottom_right > 0 && farthest <= bottom_right;
  layer.shift = fits && farthest > 0 ? bottom_right : 0;
  layer.rules.mask.offset = fits ? layer.shift : attention::Mask::kFar;
  layer.placed = fits;
}

}  // namespace

void require_place(const attention::Layer& layer, const char* name) {
  if (!layer.placed)
    refuse(layer.name, fmt::format("{} needs offset: {} queries and {} keys do not show where they meet",
                                   name, layer.T_q, layer.T_k));
}

void choose_rules(const Arrays& arrays, const LayerOptions& options, const Settings& settings,
                  attention::Layer& layer) {
  const bool given = std::all_of(layer.heads.begin(), layer.heads.end(),
                                 [](const attention::Head& head) { return bool(head.A); });
  const Index T_k = layer.T_k;
  const bool silent =
      !options.mask && !options.align && !settings.number("causal") && !settings.number("offset");
  if (given && layer.T_q != T_k && silent && !settings.number("window")) {
    find_mask(layer);
  } else {
    place_queries(arrays, options, settings, T_k, layer);
  }
  read_key_mask(arrays, options, T_k, layer);
  read_mask(arrays, options, T_k, layer);
  read_sinks(arrays, layer);
  if (given) return;
  layer.rules.scale = options.scale ? options.scale : settings.number("scale");
  if (!options.scale && layer.rules.scale)
    layer.said.emplace_back("scale", fmt::to_string(*layer.rules.scale));
  layer.rules.softcap = settings.number("softcap");
  if (layer.rules.softcap) layer.said.emplace_back("softcap", fmt::to_string(*layer.rules.softcap));
}

}  // namespace mha::input
