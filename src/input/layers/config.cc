#include "input/layers/config.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <vector>

#include "input/formats/open_arrays.h"
#include "input/formats/place.h"
#include "text/field.h"
#include "text/number.h"

namespace mha::input {
namespace {

namespace fs = std::filesystem;

struct Unsupported {
  std::string_view model_type;
  const char* what;
};
constexpr std::array kUnsupported = {
    Unsupported{"bloom", "biases of ALiBi and a fused projection of its own"},
    Unsupported{"falcon", "a fused projection of its own"},
    Unsupported{"mpt", "biases of ALiBi"},
    Unsupported{"deepseek_v2", "keys and values that are projected from a latent one"},
    Unsupported{"deepseek_v3", "keys and values that are projected from a latent one"},
    Unsupported{"deepseek_v32", "keys and values that are projected from a latent one"},
    Unsupported{"kimi_k2", "keys and values that are projected from a latent one"},
    Unsupported{"minicpm3", "keys and values that are projected from a latent one"},
    Unsupported{"RefinedWeb", "a fused projection of its own"},
    Unsupported{"RefinedWebModel", "a fused projection of its own"},
    Unsupported{"chatglm", "a fused projection and rotary positions of its own"},
    Unsupported{"gemma3", "norms with a weight of 1 + w"},
    Unsupported{"gemma3_text", "norms with a weight of 1 + w"},
    Unsupported{"llama4", "layers without rotary positions and norms without weights"},
    Unsupported{"llama4_text", "layers without rotary positions and norms without weights"},
    Unsupported{"cohere", "rotary positions of interleaved pairs and LayerNorms"},
    Unsupported{"cohere2", "rotary positions of interleaved pairs in some layers"},
    Unsupported{"gpt_neo", "scores without a scale and local layers"},
    Unsupported{"longformer", "a sparse mask"},
    Unsupported{"big_bird", "a sparse mask"},
    Unsupported{"deberta", "relative positions within the scores"},
    Unsupported{"deberta-v2", "relative positions within the scores"},
    Unsupported{"gptj", "queries and keys that are turned in another order of its projections"},
};

/// What a configuration says, its members by their names.
class Config {
 public:
  explicit Config(const std::string& path)
      : file_(open_arrays(path, fmt::format("{}: config.json",
                                            file_name("input", fs::path(path).parent_path().string())))) {}

  [[nodiscard]] const std::string& name() const { return file_->name(); }

  /// The first of those that is there and a number.
  [[nodiscard]] std::optional<double> number(std::initializer_list<const char*> names) const {
    for (const char* const name : names) {
      const ArrayInfo* const found = find(name);
      if (found == nullptr || !found->shape.empty() || found->dtype != "float64") continue;
      double value = 0.0;
      file_->read(*found, 0, {&value, 1});
      return value;
    }
    return std::nullopt;
  }

  [[nodiscard]] std::optional<Index> count(std::initializer_list<const char*> names) const {
    const std::optional<double> value = number(names);
    if (!value) return std::nullopt;
    if (!(*value >= 1.0 && *value < 1e9 && *value == std::floor(*value)))
      refuse(place_of(name(), *names.begin()), fmt::format("{} is not a whole number from 1 on", *value));
    return static_cast<Index>(*value);
  }

  [[nodiscard]] const std::vector<std::string>* texts(const char* name) const { return file_->texts(name); }
  /// Whether it says anything of that: null does not.
  [[nodiscard]] bool has(const char* name) const {
    return find(name) != nullptr && find(name)->dtype != "none";
  }
  [[nodiscard]] bool is_false(const char* name) const { return truth(name) == 0.0; }
  [[nodiscard]] bool is_true(const char* name) const { return truth(name) == 1.0; }

 private:
  [[nodiscard]] const ArrayInfo* find(const char* name) const { return file_->find(name); }

  /// 1 for true, 0 for false; none for anything else.
  [[nodiscard]] std::optional<double> truth(const char* name) const {
    const ArrayInfo* const found = find(name);
    if (found == nullptr || found->dtype != "bool" || !found->shape.empty()) return std::nullopt;
    double value = 0.0;
    file_->read(*found, 0, {&value, 1});
    return value;
  }
  std::unique_ptr<ArrayFile> file_;
};

/// The number of the layer in `model.layers.5.self_attn.`, from 0; none where the prefix has none.
std::optional<std::size_t> layer_of(const std::string& prefix) {
  for (std::size_t at = 0; at < prefix.size();) {
    const std::size_t end = std::min(prefix.find('.', at), prefix.size());
    const auto number = text::parse_whole(prefix.substr(at, end - at));
    if (number) return static_cast<std::size_t>(*number);
    at = end + 1;
  }
  return std::nullopt;
}

/// Whether the layer looks through the window that the model has.
bool has_window(const Config& config, const LayerOptions& options, const Settings& settings) {
  if (config.is_false("use_sliding_window")) return false;
  const auto* const types = config.texts("layer_types");
  const auto* const model = config.texts("model_type");
  const bool alternate = config.has("layer_types") || config.has("sliding_window_pattern") ||
                         config.has("max_window_layers") || (model != nullptr && model->front() == "gemma2");
  if (!alternate) return true;
  const std::optional<std::size_t> layer = layer_of(options.prefix);
  if (types != nullptr && layer && *layer < types->size()) {
    if ((*types)[*layer] == "sliding_attention") return true;
    if ((*types)[*layer] == "full_attention") return false;
  }
  if (!settings.is_given("window"))
    refuse(config.name(),
           fmt::format("some of its layers have a window, and it does not say which; {} window=N says "
                       "it, with the text's length where there is none",
                       text::field("set")));
  return false;
}

void read_rotary(const Config& config, Settings& settings, std::optional<Index> head_width) {
  const auto base = config.number({"rope_theta", "rotary_emb_base", "rope_parameters.rope_theta"});
  if (!base) return;
  settings.add("rope_base", *base, config.name());
  if (const auto dims = config.count({"rotary_dim"}))
    settings.add("rope_dims", static_cast<double>(*dims), config.name());
  if (const auto part =
          config.number({"partial_rotary_factor", "rotary_pct", "rope_parameters.partial_rotary_factor"});
      part && head_width)
    settings.add("rope_dims", 2.0 * std::floor(*part * static_cast<double>(*head_width) / 2.0 + 1e-9),
                 config.name());
  for (const char* const outer : {"rope_scaling", "rope_parameters"}) {
    const std::string in = std::string(outer) + ".";
    const auto* kind = config.texts((in + "rope_type").c_str());
    if (kind == nullptr) kind = config.texts((in + "type").c_str());
    if (kind == nullptr && (config.has((in + "factor").c_str()) || config.texts(outer) != nullptr))
      refuse(config.name(), fmt::format("{}: a scaling of rotary positions without its kind", outer));
    if (kind == nullptr || kind->front() == "default") continue;
    if (kind->front() != "llama3")
      refuse(config.name(), fmt::format("{} {}: of the scalings of rotary positions only llama3 is supported",
                                        outer, quoted_key(kind->front())));
    for (const char* const name :
         {"factor", "low_freq_factor", "high_freq_factor", "original_max_position_embeddings"}) {
      const auto value = config.number({(in + name).c_str()});
      if (!value || !(*value > 0.0))
        refuse(config.name(), fmt::format("{}{}: a number above 0 is needed", in, name));
      settings.add_scaling(*value);
    }
    if (settings.scaling()[2] <= settings.scaling()[1])
      refuse(config.name(), fmt::format("{}high_freq_factor: has to be above low_freq_factor", in));
  }
}

}  // namespace

std::string config_beside(const std::string& path) {
  std::error_code ignored;
  const fs::path directory = fs::is_directory(path, ignored) ? fs::path(path) : fs::path(path).parent_path();
  const fs::path config = directory / "config.json";
  return path != "-" && fs::is_regular_file(config, ignored) ? config.string() : "";
}

void read_config(const std::string& path, LayerOptions& options, Settings& settings) {
  const Config config(path);
  if (const auto* const type = config.texts("model_type")) {
    const auto* const known =
        std::find_if(kUnsupported.begin(), kUnsupported.end(),
                     [&](const Unsupported& one) { return one.model_type == type->front(); });
    if (known != kUnsupported.end())
      refuse(config.name(), fmt::format("model_type {}: its attention has {}; save Q, K and V of it instead",
                                        quoted_key(type->front()), known->what));
  }
  const auto* const positions = config.texts("position_embedding_type");
  if (positions != nullptr && positions->front().starts_with("relative"))
    refuse(config.name(), "position_embedding_type: relative positions within the scores are not supported");
  if (config.is_false("scale_attn_weights")) settings.add("scale", 1.0, config.name());
  if (config.is_true("scale_attn_by_inverse_layer_idx"))
    refuse(config.name(), "scale_attn_by_inverse_layer_idx: a scale of each layer's own is not supported");
  if (const auto factor = config.number({"attention_multiplier"}))
    settings.add("scale", *factor, config.name());
  const std::optional<Index> H = config.count({"num_attention_heads", "n_head", "n_heads", "num_heads"});
  if (!options.H) options.H = H;
  std::optional<Index> head_width = config.count({"head_dim", "d_kv"});
  const std::optional<Index> width = config.count({"hidden_size", "n_embd", "d_model", "dim"});
  if (!head_width && width && H) head_width = *width / *H;
  if (row_of(*options.layout).rotates) read_rotary(config, settings, head_width);
  if (const auto window = config.count({"sliding_window"}); window && has_window(config, options, settings))
    settings.add("window", static_cast<double>(*window), config.name());
  if (const auto cap = config.number({"attn_logit_softcapping"}))
    settings.add("softcap", *cap, config.name());
  if (const auto scalar = config.number({"query_pre_attn_scalar"}))
    settings.add("scale", 1.0 / std::sqrt(*scalar), config.name());
  if (const auto epsilon = config.number({"rms_norm_eps"})) settings.add("norm_eps", *epsilon, config.name());
}

}  // namespace mha::input
