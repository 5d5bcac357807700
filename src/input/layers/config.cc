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
  [[nodiscard]] bool is_false(const char* name) const {
    const ArrayInfo* const found = find(name);
    if (found == nullptr || found->dtype != "bool" || !found->shape.empty()) return false;
    double value = 1.0;
    file_->read(*found, 0, {&value, 1});
    return value == 0.0;
  }

 private:
  [[nodiscard]] const ArrayInfo* find(const char* name) const { return file_->find(name); }
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
  const bool alternate = types != nullptr || config.number({"sliding_window_pattern"}).has_value();
  if (!alternate) return true;
  const std::optional<std::size_t> layer = layer_of(options.prefix);
  if (types != nullptr && layer && *layer < types->size()) return (*types)[*layer] == "sliding_attention";
  if (!settings.number("window"))
    refuse(config.name(), "some of its layers have a window, and it does not say which; " +
                              text::field("set") + " window=N or a window of the text's length says it");
  return false;
}

void read_rotary(const Config& config, Settings& settings, std::optional<Index> head_width) {
  const auto base = config.number({"rope_theta", "rotary_emb_base", "rope_parameters.rope_theta"});
  if (!base) return;
  settings.add("rope_base", *base);
  if (const auto dims = config.count({"rotary_dim"})) settings.add("rope_dims", static_cast<double>(*dims));
  if (const auto part =
          config.number({"partial_rotary_factor", "rotary_pct", "rope_parameters.partial_rotary_factor"});
      part && head_width)
    settings.add("rope_dims", 2.0 * std::floor(*part * static_cast<double>(*head_width) / 2.0 + 1e-9));
  for (const char* const outer : {"rope_scaling", "rope_parameters"}) {
    const std::string in = std::string(outer) + ".";
    const auto* kind = config.texts((in + "rope_type").c_str());
    if (kind == nullptr) kind = config.texts((in + "type").c_str());
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
  const std::optional<Index> H = config.count({"num_attention_heads", "n_head", "n_heads", "num_heads"});
  if (!options.H) options.H = H;
  std::optional<Index> head_width = config.count({"head_dim", "d_kv"});
  const std::optional<Index> width = config.count({"hidden_size", "n_embd", "d_model", "dim"});
  if (!head_width && width && H) head_width = *width / *H;
  if (row_of(*options.layout).rotates) read_rotary(config, settings, head_width);
  if (const auto window = config.count({"sliding_window"}); window && has_window(config, options, settings))
    settings.add("window", static_cast<double>(*window));
  if (const auto cap = config.number({"attn_logit_softcapping"})) settings.add("softcap", *cap);
  if (const auto scalar = config.number({"query_pre_attn_scalar"}); scalar && *scalar > 0.0)
    settings.add("scale", 1.0 / std::sqrt(*scalar));
  if (const auto epsilon = config.number({"rms_norm_eps"})) settings.add("norm_eps", *epsilon);
}

}  // namespace mha::input
