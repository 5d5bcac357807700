#include "input/layers/layouts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "text/field.h"

namespace mha::input {
namespace {

using enum Packing;

// GPT-2's causal buffers; of TransformerLens; the angles that rope_base gives.
constexpr const char* kGpt2Buffers = "bias,masked_bias";
constexpr const char* kNeoxBuffers = "bias,masked_bias,rotary_emb.inv_freq";

constexpr std::array kRows = {
    LayoutRow{"this lesson; y = x W", kSeparate, "lio", "lio", "lo", "W_Q", "W_K", "W_V", "W_O", "b_Q", "b_K",
              "b_V", "b_O"},
    LayoutRow{"nn.MultiheadAttention", kThirds, "loi", "loi", "lo", "in_proj_weight", "", "",
              "out_proj.weight", "in_proj_bias", "", "", "out_proj.bias"},
    LayoutRow{"nn.MultiheadAttention with kdim or vdim", kSeparate, "loi", "loi", "lo", "q_proj_weight",
              "k_proj_weight", "v_proj_weight", "out_proj.weight", "in_proj_bias", "", "", "out_proj.bias"},
    LayoutRow{"GPT-2 (Conv1D)", kThirds, "lio", "lio", "lo", "c_attn.weight", "", "", "c_proj.weight",
              "c_attn.bias", "", "", "c_proj.bias", true, false, 0.0, "", kGpt2Buffers},
    LayoutRow{"GPT-2 with nn.Linear, nanoGPT", kThirds, "loi", "loi", "lo", "c_attn.weight", "", "",
              "c_proj.weight", "c_attn.bias", "", "", "c_proj.bias", true, false, 0.0, "", kGpt2Buffers},
    LayoutRow{"Llama, Mistral, Qwen", kSeparate, "loi", "loi", "lo", "q_proj.weight", "k_proj.weight",
              "v_proj.weight", "o_proj.weight", "q_proj.bias", "k_proj.bias", "v_proj.bias", "o_proj.bias",
              true, true, 0.0, "q_norm.weight,k_norm.weight", "rotary_emb.inv_freq"},
    LayoutRow{"BERT, RoBERTa, ViT", kSeparate, "loi", "loi", "lo",
              "attention.self.query.weight|attention.attention.query.weight|self.query.weight|query.weight",
              "attention.self.key.weight|attention.attention.key.weight|self.key.weight|key.weight",
              "attention.self.value.weight|attention.attention.value.weight|self.value.weight|value.weight",
              "attention.output.dense.weight|output.dense.weight",
              "attention.self.query.bias|attention.attention.query.bias|self.query.bias|query.bias",
              "attention.self.key.bias|attention.attention.key.bias|self.key.bias|key.bias",
              "attention.self.value.bias|attention.attention.value.bias|self.value.bias|value.bias",
              "attention.output.dense.bias|output.dense.bias", false},
    LayoutRow{"BART, Whisper", kSeparate, "loi", "loi", "lo", "q_proj.weight", "k_proj.weight",
              "v_proj.weight", "out_proj.weight", "q_proj.bias", "k_proj.bias", "v_proj.bias",
              "out_proj.bias"},
    LayoutRow{"T5; its bias as mask", kSeparate, "loi", "loi", "lo", "q.weight", "k.weight", "v.weight",
              "o.weight", "", "", "", "", true, false, 1.0, "", "relative_attention_bias.weight"},
    LayoutRow{"DistilBERT", kSeparate, "loi", "loi", "lo", "q_lin.weight", "k_lin.weight", "v_lin.weight",
              "out_lin.weight", "q_lin.bias", "k_lin.bias", "v_lin.bias", "out_lin.bias", false},
    LayoutRow{"timm", kThirds, "loi", "loi", "lo", "qkv.weight", "", "", "proj.weight", "qkv.bias", "", "",
              "proj.bias", false},
    LayoutRow{"GPT-NeoX, Pythia", kHeadThirds, "loi", "loi", "lo", "query_key_value.weight", "", "",
              "dense.weight", "query_key_value.bias", "", "", "dense.bias", true, true, 0.0, "",
              kNeoxBuffers},
    LayoutRow{"TransformerLens", kSeparate, "lhio", "lhio", "lho", "W_Q", "W_K", "W_V", "W_O", "b_Q", "b_K",
              "b_V", "b_O", true, false, 0.0, "", "mask,IGNORE"},
    LayoutRow{"keras.layers.MultiHeadAttention", kSeparate, "liho", "lhio", "lho",
              "query/kernel|query.kernel", "key/kernel|key.kernel", "value/kernel|value.kernel",
              "attention_output/kernel|attention_output.kernel", "query/bias|query.bias", "key/bias|key.bias",
              "value/bias|value.bias", "attention_output/bias|attention_output.bias"},
    LayoutRow{"flax.linen.MultiHeadDotProductAttention", kSeparate, "liho", "lhio", "lho",
              "query/kernel|query.kernel", "key/kernel|key.kernel", "value/kernel|value.kernel",
              "out/kernel|out.kernel", "query/bias|query.bias", "key/bias|key.bias", "value/bias|value.bias",
              "out/bias|out.bias"},
};
static_assert(kRows.size() == kLayoutNames.size());

/// Whether the sizes of an array, of one layer or of several, can be those of the row's first weights: only a
/// fused one shows its orientation.
bool fits(const LayoutRow& row, const ArrayInfo& array, bool layers) {
  const std::vector<Index>& shape = array.shape;
  if (shape.size() + (layers ? 0 : 1) != row.axes.size()) return false;
  if (row.packing == kSeparate) return true;
  const Index rows = shape[shape.size() - 2];
  const Index cols = shape.back();
  return row.axes == "lio" ? cols == 3 * rows : rows == 3 * cols;
}

/// The layouts that fit, of arrays of one layer or of several.
std::string fitting(const Arrays& arrays, bool layers) {
  std::string advice;
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    const LayoutRow& row = kRows[i];
    std::string prefix;
    // The first array whose name ends as that of Q does, and beside it those of K, V and the output.
    const auto fits_at = [&](const ArrayInfo& array, const std::string& Q) {
      if (!array.name.ends_with(Q) || !fits(row, array, layers)) return false;
      prefix = array.name.substr(0, array.name.size() - Q.size());
      if (!prefix.empty() && std::isalnum(static_cast<unsigned char>(prefix.back())) != 0) return false;
      const std::array others = {row.K, row.V, row.O};
      return std::all_of(others.begin(), others.end(), [&](const char* const names) {
        const std::vector<std::string> any = alternatives(names);
        return any.empty() || std::any_of(any.begin(), any.end(), [&](const std::string& name) {
                 return arrays.file().find(prefix + name) != nullptr;
               });
      });
    };
    bool found = false;
    for (const std::string& Q : alternatives(row.Q)) {
      const auto& all = arrays.file().arrays();
      found = found ||
              std::any_of(all.begin(), all.end(), [&](const ArrayInfo& array) { return fits_at(array, Q); });
    }
    if (!found) continue;
    advice += fmt::format(
        "; {} {} fits{}", text::field("layout"), kLayoutNames[i],
        prefix == arrays.prefix() ? "" : fmt::format(" with {} {}", text::field("prefix"), prefix));
  }
  return advice;
}

}  // namespace

const LayoutRow& row_of(Layout layout) { return kRows.at(static_cast<std::size_t>(layout)); }

std::vector<std::string> alternatives(std::string_view names) {
  std::vector<std::string> all;
  while (!names.empty()) {
    const std::size_t end = std::min(names.find_first_of("|,"), names.size());
    all.emplace_back(names.substr(0, end));
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  return all;
}

Found find_any(const Arrays& arrays, std::string_view names) {
  for (const std::string& name : alternatives(names)) {
    if (const Found found = arrays.find(name); found.array != nullptr) return found;
  }
  return {};
}

bool is_causal_buffer(const Found& found) {
  const std::vector<Index>& shape = found.array->shape;
  if (shape.size() != 4 || shape[0] != 1 || shape[1] != 1 || shape[2] != shape[3]) return false;
  const std::vector<double> entries = all_entries(found);
  for (std::size_t at = 0; at < entries.size(); ++at) {
    const auto n = static_cast<std::size_t>(shape[3]);
    if (entries[at] != (at % n <= at / n ? 1.0 : 0.0)) return false;
  }
  return true;
}

std::vector<std::string> names_read(const LayoutRow& row) {
  std::vector<std::string> all;
  for (const char* const names :
       {row.Q, row.K, row.V, row.O, row.b_Q, row.b_K, row.b_V, row.b_O, row.norms}) {
    for (std::string& name : alternatives(names)) all.push_back(std::move(name));
  }
  return all;
}

std::string fitting_layouts(const Arrays& arrays) {
  const std::string advice = fitting(arrays, false);
  return advice.empty() ? fitting(arrays, true) : advice;
}

}  // namespace mha::input
