#include "input/layers/modifiers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <stdexcept>
#include <utility>

#include "attention/rotary.h"
#include "input/memory.h"
#include "text/field.h"

namespace mha::input {
namespace {

using attention::SharedMatrix;
using text::field;

std::string shown_place(const Found& found) { return place_of(found.file->name(), found.array->name); }

/// All entries of a small array, whatever its shape.
std::vector<double> entries(const Found& found, Finite finite = Finite::kRequired) {
  found.file->require_numbers(*found.array);
  const Index count = entries_of(found.array->shape, shown_place(found));
  require_memory(shown_place(found), static_cast<double>(count) * sizeof(double));
  std::vector<double> values(static_cast<std::size_t>(count));
  found.file->read(*found.array, 0, values, finite);
  return values;
}

/// The array as a row of that many numbers.
Matrix row_of(const Found& found, Index size, const std::string& what) {
  const std::vector<double> values = entries(found);
  if (static_cast<Index>(values.size()) != size)
    refuse(shown_place(found), fmt::format("its shape is {}; it has to have {} numbers, {}",
                                           shown_shape(found.array->shape), size, what));
  return Eigen::Map<const Matrix>(values.data(), 1, size);
}

/// Every Q or K with `change` of it, one that several heads share once.
template <typename Change>
void change_all(attention::Layer& layer, SharedMatrix attention::Head::*part, const Change& change) {
  std::map<const Matrix*, SharedMatrix> changed;
  for (attention::Head& head : layer.heads) {
    const SharedMatrix before = head.*part;
    if (!before) continue;
    SharedMatrix& after = changed[before.get()];
    if (!after) after = std::make_shared<const Matrix>(change(*before));
    head.*part = after;
  }
}

void say(attention::Layer& layer, const std::string& name, const std::string& value) {
  layer.said.emplace_back(name, value);
}

/// Refuses what needs to know where the queries stand among the keys, if nobody said so.
void require_place(const attention::Layer& layer, const char* name) {
  if (!layer.placed)
    refuse(layer.name, fmt::format("{} needs offset: {} queries and {} keys do not show where they meet",
                                   name, layer.T_q, layer.T_k));
}

void norm(const Arrays& arrays, const Settings& settings, attention::Layer& layer) {
  if (settings.number("norm_eps") && !arrays.find_beside("q_norm").array &&
      !arrays.find_beside("k_norm").array)
    refuse(layer.name, "norm_eps needs q_norm or k_norm");
  for (const auto& [name, part] :
       {std::pair("q_norm", &attention::Head::Q), {"k_norm", &attention::Head::K}}) {
    const Found found = arrays.find_beside(name);
    if (found.array == nullptr) continue;
    const Matrix weight = row_of(found, layer.heads.front().Q->cols(), "the width d_k of a head");
    const double epsilon = settings.number("norm_eps").value_or(1e-6);
    change_all(layer, part, [&](const Matrix& M) { return attention::rms_normed(M, weight, epsilon); });
    say(layer, name, fmt::format("RMS, eps {}", epsilon));
  }
}

void rotate(const Settings& settings, attention::Layer& layer) {
  const double base = settings.number("rope_base").value_or(0.0);
  if (base == 0.0) {
    for (const char* const name : {"rope_dims", "rope_pairs"}) {
      if (settings.number(name) && !settings.number("rope_base"))
        refuse(layer.name, fmt::format("{} needs rope_base", name));
    }
    return;
  }
  require_place(layer, "rope_base");
  const Index d_k = layer.heads.front().Q->cols();
  attention::Rotary rotary{base, settings.whole("rope_dims").value_or(d_k)};
  if (const auto& s = settings.scaling(); s.size() == 4) rotary.scaling = {s[0], s[1], s[2], s[3]};
  if (settings.number("rope_pairs") == 1.0) rotary.pairs = attention::RotaryPairs::kInterleaved;
  if (rotary.dims > d_k || rotary.dims % 2 != 0)
    throw std::invalid_argument(fmt::format("{}: rope_dims {}: an even number up to the width {} of a head",
                                            layer.name, rotary.dims, d_k));
  change_all(layer, &attention::Head::Q,
             [&](const Matrix& Q) { return attention::rotated(Q, layer.shift, rotary); });
  change_all(layer, &attention::Head::K, [&](const Matrix& K) { return attention::rotated(K, 0, rotary); });
  layer.rotary = rotary;
  say(layer, "rope_base", fmt::to_string(base));
  if (rotary.dims != d_k) say(layer, "rope_dims", fmt::to_string(rotary.dims));
  say(layer, "rope_pairs", text::name_of(rotary.pairs));
  if (rotary.scaling) say(layer, "rope_scaling", fmt::format("llama3, factor {}", rotary.scaling->factor));
}

/// One key and value more: [d], [1, 1, d] or [H, d_k], the K/V heads one after the other.
void append_extra(const Arrays& arrays, attention::Layer& layer) {
  const Found k = arrays.find_beside("bias_k");
  const Found v = arrays.find_beside("bias_v");
  if (k.array == nullptr && v.array == nullptr) return;
  const bool values = layer.has_values();
  if (k.array == nullptr || (values && v.array == nullptr))
    refuse(shown_place(k.array == nullptr ? v : k), "bias_k and bias_v belong together");
  for (const auto& [found, part] : {std::pair(k, &attention::Head::K), {v, &attention::Head::V}}) {
    if (found.array == nullptr || !(layer.heads.front().*part)) continue;
    const Index width = (layer.heads.front().*part)->cols();
    const Matrix row = row_of(found, layer.kv_heads * width, "a row for each K/V head");
    for (std::size_t h = 0; h < layer.heads.size(); ++h) {
      SharedMatrix& M = layer.heads[h].*part;
      const Index g = static_cast<Index>(h) * layer.kv_heads / layer.H();
      Matrix more(M->rows() + 1, width);
      more.topRows(M->rows()) = *M;
      more.bottomRows(1) = row.middleCols(g * width, width);
      M = std::make_shared<const Matrix>(std::move(more));
    }
    layer.biases += row.size();
  }
  layer.rules.mask.extra = layer.T_k++;
  say(layer, "bias_k", "one key more, the last");
}

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
    say(layer, "mask", fmt::format("none, as {} has it", text::name_of(*options.layout)));
  if (options.align) {
    layer.shift = *options.align == Align::kBottomRight ? T_k - layer.T_q : 0;
  } else if (offset) {
    layer.shift = *offset;
    say(layer, "offset", fmt::to_string(*offset));
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
    say(layer, "window", fmt::to_string(*window));
  }
  if (const auto length = settings.whole("kv_length")) {
    if (*length > T_k) refuse(layer.name, fmt::format("kv_length {}: there are {} keys", *length, T_k));
    mask.length = *length;
    say(layer, "kv_length", fmt::to_string(*length));
  }
}

/// Which of the sequences of such an array is meant, from 0. It has to have as many as the inputs.
Index sequence(const Found& found, const LayerOptions& options, const attention::Layer& layer) {
  const Index sequences = found.array->shape.front();
  if (sequences != layer.batches)
    refuse(shown_place(found),
           fmt::format("is {}: {} sequences, where {} {}", shown_shape(found.array->shape), sequences,
                       layer.name, layer.batches == 1 ? "is one" : fmt::format("has {}", layer.batches)));
  return options.pick.batch.value_or(1) - 1;
}

/// [T_k] or [B, T_k]: true for a token, false for padding.
void read_key_mask(const Arrays& arrays, const LayerOptions& options, Index T_k, attention::Layer& layer) {
  const Found found = arrays.find_beside("key_mask");
  if (found.array == nullptr) return;
  const std::vector<Index>& shape = found.array->shape;
  std::vector<double> values = entries(found);
  if (shape.size() == 2 && shape[0] > 1) {
    const Index b = sequence(found, options, layer);
    values = {values.begin() + b * shape[1], values.begin() + (b + 1) * shape[1]};
  }
  if (shape.empty() || shape.size() > 2 || shape.back() != T_k)
    refuse(shown_place(found), fmt::format("is {}; it has to be [{}] or [batch, {}], a value for each key",
                                           shown_shape(shape), T_k, T_k));
  auto before = std::make_shared<std::vector<Index>>(1, 0);
  for (const double value : values) {
    if (value != 0.0 && value != 1.0)
      refuse(shown_place(found), fmt::format("{} is neither true nor false", value));
    before->push_back(before->back() + static_cast<Index>(value));
  }
  say(layer, "key_mask", fmt::format("{} of {} keys", before->back(), T_k));
  if (before->back() < T_k) layer.rules.mask.tokens_before = std::move(before);
}

/// What is added to the scores: [T_q, T_k], [H, T_q, T_k] or [B, 1 or H, T_q, T_k], sizes of 1 for all.
void read_mask(const Arrays& arrays, const LayerOptions& options, Index T_k, attention::Layer& layer) {
  const Found found = arrays.find_beside("mask");
  if (found.array == nullptr) return;
  const std::string place = shown_place(found);
  const std::string& dtype = found.array->dtype;
  const bool truths = dtype == "bool";
  if (!truths && !dtype.starts_with("float") && !dtype.starts_with("bfloat"))
    refuse(place, fmt::format("is of {}: a mask is bool (true may be seen) or floats that are added", dtype));
  std::vector<Index> shape = found.array->shape;
  const Index H = layer.H();
  if (shape.size() < 2 || shape.size() > 4)
    refuse(place, fmt::format("is {}; it has to be [T_q, T_k], [H, T_q, T_k] or [batch, H, T_q, T_k]",
                              shown_shape(shape)));
  const std::vector<double> values = entries(found, Finite::kNotRequired);
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
  say(layer, "mask", fmt::format("{} {}", truths ? "bool" : "added", shown_shape(found.array->shape)));
}

void read_sinks(const Arrays& arrays, attention::Layer& layer) {
  const Found found = arrays.find_beside("sinks");
  if (found.array == nullptr) return;
  const Matrix sinks = row_of(found, layer.H(), "one for each head");
  for (Index h = 0; h < layer.H(); ++h) layer.heads[static_cast<std::size_t>(h)].sink = sinks(0, h);
  say(layer, "sinks", fmt::format("{}, one for each head", layer.H()));
}

/// Given weights that nobody said a mask of: they show it themselves where T_q ≠ T_k.
void find_mask(attention::Layer& layer) {
  Index farthest = -layer.T_q;  // the largest i − t of a weight above 0
  constexpr Index kHeld = Index{1} << 18;
  const Index height = std::clamp<Index>(kHeld / layer.T_k, 1, layer.T_q);
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

const std::vector<std::string>& modifier_names() {
  static const std::vector<std::string> kNames = {"mask",   "key_mask", "sinks", "bias_k",
                                                  "bias_v", "q_norm",   "k_norm"};
  return kNames;
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
  if (!options.scale && layer.rules.scale) say(layer, "scale", fmt::to_string(*layer.rules.scale));
  layer.rules.softcap = settings.number("softcap");
  if (layer.rules.softcap) say(layer, "softcap", fmt::to_string(*layer.rules.softcap));
}

void modify_heads(const Arrays& arrays, const Settings& settings, attention::Layer& layer) {
  const auto given = std::count_if(layer.heads.begin(), layer.heads.end(),
                                   [](const attention::Head& head) { return bool(head.A); });
  if (given > 0) {  // all heads, or some of a list
    const auto refuse_if = [&](bool there, const std::string& name) {
      if (there) refuse(layer.name, fmt::format("{} changes scores, and heads have their weights", name));
    };
    const bool some = given < layer.H();
    for (const char* const name : {"scale", "softcap", "rope_base", "rope_dims", "rope_pairs", "norm_eps"})
      refuse_if(settings.is_given(name) || (some && settings.number(name)), name);
    for (const char* const name : {"bias_k", "bias_v", "q_norm", "k_norm"})
      refuse_if(some && arrays.find_beside(name).array != nullptr, name);
    return;
  }
  norm(arrays, settings, layer);
  rotate(settings, layer);
  append_extra(arrays, layer);
}

}  // namespace mha::input
