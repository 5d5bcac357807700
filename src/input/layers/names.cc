#include "input/layers/names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "input/formats/place.h"
#include "text/did_you_mean.h"
#include "text/field.h"
#include "text/quote.h"

namespace mha::input {
namespace {

/// As many names as a note lists.
constexpr std::size_t kMostNoted = 8;

/// What is known by its name to change attention, in lower case; and what helps.
struct Changing {
  std::string_view name;
  enum { kWhole, kPart } match;
  std::string_view kind;
};
constexpr std::array kChanging = {
    Changing{"m", Changing::kWhole, "a mask"},
    Changing{"mask", Changing::kWhole, "a mask"},
    Changing{"attn_mask", Changing::kPart, "a mask"},
    Changing{"attention_mask", Changing::kPart, "a mask"},
    Changing{"causal_mask", Changing::kPart, "a mask"},
    Changing{"key_mask", Changing::kPart, "a mask of keys"},
    Changing{"padding_mask", Changing::kPart, "a mask of keys"},
    Changing{"head_mask", Changing::kPart, "a mask of heads"},
    Changing{"bias", Changing::kWhole, "a mask or a bias of the scores"},
    Changing{"bias_k", Changing::kPart, "one key more"},
    Changing{"bias_v", Changing::kPart, "one value more"},
    Changing{"attn_bias", Changing::kPart, "a bias of the scores"},
    Changing{"attention_bias", Changing::kPart, "a bias of the scores"},
    Changing{"position_bias", Changing::kPart, "a bias of the scores"},
    Changing{"relative", Changing::kPart, "relative positions"},
    Changing{"rel_pos", Changing::kPart, "relative positions"},
    Changing{"rel_h", Changing::kWhole, "relative positions"},
    Changing{"rel_w", Changing::kWhole, "relative positions"},
    Changing{"alibi", Changing::kPart, "a bias of the scores"},
    Changing{"slopes", Changing::kPart, "a bias of the scores"},
    Changing{"sink", Changing::kPart, "attention sinks"},
    Changing{"q_norm", Changing::kPart, "a norm of the queries"},
    Changing{"k_norm", Changing::kPart, "a norm of the keys"},
    Changing{"query_norm", Changing::kPart, "a norm of the queries"},
    Changing{"key_norm", Changing::kPart, "a norm of the keys"},
    Changing{"norm_q", Changing::kPart, "a norm of the queries"},
    Changing{"norm_k", Changing::kPart, "a norm of the keys"},
    Changing{"q_layernorm", Changing::kPart, "a norm of the queries"},
    Changing{"k_layernorm", Changing::kPart, "a norm of the keys"},
    Changing{"qk_norm", Changing::kPart, "a norm of queries and keys"},
    Changing{"lora_", Changing::kPart, "low-rank changes of a projection; merge them first"},
    Changing{"scale", Changing::kWhole, "a scale of the scores"},
    Changing{"logit_scale", Changing::kPart, "a scale of the scores"},
    Changing{"softmax_scale", Changing::kPart, "a scale of the scores"},
    Changing{"scaling", Changing::kPart, "a scale of the scores"},
    Changing{"temperature", Changing::kPart, "a scale of the scores"},
    Changing{"softcap", Changing::kPart, "a limit of the scores"},
    Changing{"causal", Changing::kWhole, "whether the mask is causal"},
    Changing{"offset", Changing::kWhole, "the place of the queries among the keys"},
    Changing{"window", Changing::kPart, "a window of keys"},
    Changing{"kv_length", Changing::kPart, "how many keys count"},
    Changing{"seqlen", Changing::kPart, "how many keys count"},
    Changing{"past_key", Changing::kPart, "earlier keys"},
    Changing{"past_value", Changing::kPart, "earlier values"},
    Changing{"rope", Changing::kPart, "rotary positions"},
    Changing{"rotary", Changing::kPart, "rotary positions"},
    Changing{"inv_freq", Changing::kPart, "rotary positions"},
    Changing{"qweight", Changing::kPart, "quantised weights"},
    Changing{"qzeros", Changing::kPart, "quantised weights"},
    Changing{"weight_scale", Changing::kPart, "quantised weights"},
    Changing{"absmax", Changing::kPart, "quantised weights"},
};

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

/// What the array of that name does to attention; null if nothing is known of it.
const Changing* changing(const std::string& name) {
  const std::string small = lower(name);
  const auto* const found = std::find_if(kChanging.begin(), kChanging.end(), [&](const Changing& known) {
    if (known.match == Changing::kWhole) return small == known.name;
    // At the beginning of a word: "properties" has nothing to do with "rope".
    const std::size_t at = small.find(known.name);
    return at == 0 ||
           (at != std::string::npos && std::isalpha(static_cast<unsigned char>(small[at - 1])) == 0);
  });
  return found == kChanging.end() ? nullptr : found;
}

bool contains(std::span<const std::string> names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Refuses a name that is one of those read but for its case.
void require_case(const Arrays& arrays, const std::string& name, std::span<const std::string> read) {
  for (const std::string& known : read) {
    if (name != known && lower(name) == lower(known) && !arrays.has(known))
      throw std::invalid_argument(
          fmt::format("{}: is not read; did you mean {}?", arrays.place(name), quoted_key(known)));
  }
}

std::string note_of(const std::string& file, const std::vector<std::string>& shown, std::size_t more) {
  return fmt::format("{}: not read: {}{}", file, fmt::join(shown, ", "),
                     more > 0 ? fmt::format(" and {} more", more) : "");
}

/// How such an array can be read, where it can.
std::string remedy(const Changing& known, const std::string& name) {
  const std::string_view kind = known.kind;
  const char* const as = kind == "a mask of keys"          ? "key_mask"
                         : kind.starts_with("a mask")      ? "mask"
                         : kind == "a bias of the scores"  ? "mask"
                         : kind == "relative positions"    ? "mask"
                         : kind == "attention sinks"       ? "sinks"
                         : kind == "a norm of the queries" ? "q_norm"
                         : kind == "a norm of the keys"    ? "k_norm"
                                                           : nullptr;
  if (as == nullptr || kind == "a mask of heads") return "";
  return fmt::format("; {} {}={} reads it as one", text::field("map"), as, name);
}

}  // namespace

attention::Precision precision_of(std::string_view dtype) {
  using attention::Precision;
  for (const Precision precision : {Precision::kFloat32, Precision::kFloat16, Precision::kBfloat16}) {
    if (dtype == text::name_of(precision)) return precision;
  }
  return Precision::kFloat64;
}

void account_for_names(const Arrays& arrays, const NamesRead& names, attention::Layer& layer) {
  const ArrayInfo* const only = names.read.empty() ? nullptr : arrays.find(names.read.front()).array;
  for (const std::string& name : arrays.mapped_names()) {
    if (!contains(names.read, name) && arrays.find(name).array != nullptr)
      throw std::invalid_argument(
          fmt::format("{} {}: nothing of that name is read here{}", text::field("map"), text::in_quotes(name),
                      text::did_you_mean(name, {names.read.begin(), names.read.end()})));
    if (const Found found = arrays.find(name); found.array != nullptr)
      layer.precision = std::max(layer.precision, precision_of(found.array->dtype));
  }
  std::vector<std::string> shown;
  std::size_t unused = 0;
  for (const ArrayInfo& array : arrays.file().arrays()) {
    if (!array.name.starts_with(arrays.prefix()) || arrays.is_mapped(array)) continue;
    const std::string name = array.name.substr(arrays.prefix().size());
    if (contains(names.read, name) || &array == only) {
      layer.precision = std::max(layer.precision, precision_of(array.dtype));
      continue;
    }
    // An answer, or X, is a matrix at least; a row of that name is something else.
    const bool answer = name == "A" || name == "O" || name == "O_concat" || name == "X";
    const bool harmless = contains(names.harmless, name) && (array.shape.size() > 1 || !answer);
    if (name.empty() || harmless) continue;
    // What stands within a head of a list is one of its letters, or is refused as it would be outside.
    const std::size_t dot = name.starts_with("heads[") ? name.find("].") : std::string::npos;
    const std::string member = dot == std::string::npos ? name : name.substr(dot + 2);
    const Changing* const known = changing(member);
    if (names.scores && known != nullptr)
      throw std::invalid_argument(fmt::format(
          "{}: by its name {}, which would change the attention, and it is not read{}; leave it out if it is none",
          place_of(arrays.file().name(), array.name), known->kind,
          member == name ? remedy(*known, array.name) : "; it can stand beside the list"));
    require_case(arrays, name, names.read);
    layer.unused.push_back(array.name);
    if (++unused > kMostNoted) continue;
    const std::vector<std::string> candidates(names.read.begin(), names.read.end());
    const std::string hint = name.size() > 2 ? text::did_you_mean(name, candidates) : "";
    shown.push_back(quoted_key(array.name) + (hint.empty() ? "" : fmt::format(" ({})", hint.substr(2))));
  }
  if (unused > 0)
    layer.notes.push_back(note_of(arrays.file().name(), shown, unused - std::min(unused, kMostNoted)));
}

}  // namespace mha::input
