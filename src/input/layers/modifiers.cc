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
#include "input/layers/rules.h"

namespace mha::input {
namespace {

using attention::SharedMatrix;

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

void norm(const Arrays& arrays, const Settings& settings, attention::Layer& layer) {
  const bool told = settings.is_given("norm_eps") || arrays.find_beside("norm_eps").array != nullptr;
  if (told && !arrays.find_beside("q_norm").array && !arrays.find_beside("k_norm").array)
    refuse(layer.name, "norm_eps needs q_norm or k_norm");
  for (const auto& [name, part] :
       {std::pair("q_norm", &attention::Head::Q), {"k_norm", &attention::Head::K}}) {
    const Found found = arrays.find_beside(name);
    if (found.array == nullptr) continue;
    const Matrix weight = row_of_size(found, layer.heads.front().Q->cols(), "the width d_k of a head");
    const double epsilon = settings.number("norm_eps").value_or(1e-6);
    change_all(layer, part, [&](const Matrix& M) { return attention::rms_normed(M, weight, epsilon); });
    layer.said.emplace_back(name, fmt::format("RMS, eps {}", epsilon));
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
  layer.said.emplace_back("rope_base", fmt::to_string(base));
  if (rotary.dims != d_k) layer.said.emplace_back("rope_dims", fmt::to_string(rotary.dims));
  layer.said.emplace_back("rope_pairs", text::name_of(rotary.pairs));
  if (rotary.scaling)
    layer.said.emplace_back("rope_scaling", fmt::format("llama3, factor {}", rotary.scaling->factor));
}

/// One key and value more: [d], [1, 1, d] or [H, d_k], the K/V heads one after the other.
void append_extra(const Arrays& arrays, attention::Layer& layer) {
  const Found k = arrays.find_beside("bias_k");
  const Found v = arrays.find_beside("bias_v");
  if (k.array == nullptr && v.array == nullptr) return;
  const bool values = layer.has_values();
  if (k.array == nullptr || (values && v.array == nullptr))
    refuse(array_place(k.array == nullptr ? v : k), "bias_k and bias_v belong together");
  for (const auto& [found, part] : {std::pair(k, &attention::Head::K), {v, &attention::Head::V}}) {
    if (found.array == nullptr || !(layer.heads.front().*part)) continue;
    const Index width = (layer.heads.front().*part)->cols();
    const Matrix row = row_of_size(found, layer.kv_heads * width, "a row for each K/V head");
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
  layer.said.emplace_back("bias_k", "one key more, the last");
}

}  // namespace

const std::vector<std::string>& modifier_names() {
  static const std::vector<std::string> kNames = {"mask",   "key_mask", "sinks", "bias_k",
                                                  "bias_v", "q_norm",   "k_norm"};
  return kNames;
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
