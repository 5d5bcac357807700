#include "commands/layers.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <utility>

#include "input/memory.h"

namespace mha::commands {
namespace {

using options::Input;

Loaded of_lesson(attention::Layer layer, const Source& source) {
  const Index T = layer.T_q;
  return {std::make_shared<const attention::Layer>(std::move(layer)),
          fmt::format("gain {}", source.gain),
          {{"T", T}, {"gain", source.gain}}};
}

/// The size asked for, if that many tokens can be held: `per_token` doubles for each.
Index T_of(const Source& source, Index usual, double per_token) {
  const Index T = source.T.value_or(usual);
  input::require_memory(fmt::format("--T {}", T), per_token * static_cast<double>(T) * sizeof(double));
  return T;
}

report::Object parameters_of(const attention::Layer& layer, const input::LayerOptions& file) {
  report::Object parameters = {{"input", file.path}};
  const auto add = [&](const char* name, const auto& value) { parameters.emplace_back(name, value); };
  if (file.layout) add("layout", text::name_of(*file.layout));
  if (!file.prefix.empty()) add("prefix", file.prefix);
  if (!file.x.empty()) add("x", file.x);
  if (file.pick.layer) add("layer", *file.pick.layer);
  if (file.pick.batch) add("batch", *file.pick.batch);
  if (layer.T_q == layer.T_k) {
    add("T", layer.T_q);
  } else {
    add("T_q", layer.T_q);
    add("T_k", layer.T_k);
  }
  add("H", layer.H());
  add("mask", layer.rules.mask.is_causal() ? "causal" : "none");
  if (file.align) add("align", text::name_of(*file.align));
  if (file.scale) add("scale", *file.scale);
  if (!layer.said.empty()) {
    report::Object said;
    for (const auto& [name, value] : layer.said) said.emplace_back(name, value);
    add("attention", said);
  }
  return parameters;
}

Loaded of_file(const Source& source) {
  auto layer = std::make_shared<const attention::Layer>(input::read_layer(source.file));
  if (source.T && (*source.T != layer->T_q || *source.T != layer->T_k))
    throw std::invalid_argument(
        fmt::format("--T {}: {} has {}", *source.T, layer->name,
                    layer->T_q == layer->T_k ? fmt::format("T = {}", layer->T_q)
                                             : fmt::format("T_q = {} and T_k = {}", layer->T_q, layer->T_k)));
  report::Object parameters = parameters_of(*layer, source.file);
  return {std::move(layer), std::filesystem::path(source.file.path).filename().string(),
          std::move(parameters)};
}

/// Whether no head sees a key at query t, which is no padding.
std::function<bool(Index)> sees_nothing(const attention::Layer& layer) {
  return [&layer](Index t) {
    bool seen = layer.is_padding(t);
    for (std::size_t h = 0; h < layer.heads.size() && !seen; ++h) {
      seen = layer.visible(h, t) > 0;
      if (!layer.heads[h].M) break;
    }
    return !seen;
  };
}

/// Whether M hides later keys and does nothing else.
bool is_purely_causal(const attention::Layer& layer) {
  const attention::Mask& mask = layer.rules.mask;
  return mask.is_causal() && mask == attention::Mask{.offset = mask.offset} && !layer.heads.front().M;
}

}  // namespace

const char* const kSetHelp =
    "how the heads attend, as NAME=VALUE: causal, scale, offset, window, kv_length, softcap, rope_base, "
    "rope_dims, rope_pairs, norm_eps";

const char* const kLetters =
    "T is the number of tokens, H that of heads, d_k and d_v are their widths, d_model is the model's. Q, K and "
    "V hold a head's queries, keys and values, A its attention weights; M is the causal mask and W_O the output "
    "projection.";

bool sees_its_past(const attention::Layer& layer) {
  return is_purely_causal(layer) && layer.rules.mask.offset == 0 && layer.T_q <= layer.T_k;
}

report::Explanation explained(report::Explanation explanation, const attention::Layer& layer) {
  const attention::Head& first = layer.heads.front();
  report::Attends& attends = explanation.attends;
  attends.masked = first.M || layer.rules.mask != attention::Mask::kNone;
  attends.sees_its_past = sees_its_past(layer);
  attends.has_X = layer.X.size() > 0;
  attends.has_b_O = layer.b_O.size() > 0;
  attends.scale = layer.rules.scale;
  attends.softcap = layer.rules.softcap;
  // Given weights are not computed.
  if (first.A) std::erase(explanation.equations, report::Equation::kAttentionWeights);
  std::string& letters = explanation.letters;
  const auto replace = [&letters](std::string_view old, const std::string& text) {
    if (const std::size_t at = letters.find(old); at != std::string::npos)
      letters.replace(at, old.size(), text);
  };
  constexpr std::string_view kMask = "M is the causal mask and W_O the";
  if (!attends.masked || first.A) replace(kMask, "W_O is the");
  if (first.M)
    replace(kMask, "M is what is added to the scores, −∞ where a query may not see a key, and W_O the");
  if (!is_purely_causal(layer)) replace(kMask, "M is the mask and W_O the");
  if (attends.has_b_O) replace("output projection", "output projection, b_O its bias");
  if (!attends.sees_its_past) letters += " n is how many keys a query may see.";
  if (first.sink)
    letters +=
        " A head's sink is one logit more in the softmax's sum, and no value: rows sum to less than 1, and entropies "
        "are those of the rows divided by their sums.";
  return explanation;
}

Loaded load_heads(const Source& source) {
  if (!source.file.path.empty()) return of_file(source);
  // Q and K of each head, their making, and a few rows of A or columns of results.
  constexpr double kPerToken = 2.0 * lesson09::kHeadWidth * lesson09::kHeads + 8.0;
  return of_lesson(lesson09::four_heads(T_of(source, lesson09::kTokens, kPerToken), source.gain), source);
}

Loaded load_pipeline(const Source& source, const std::vector<lesson09::Projection>& projections) {
  if (!source.file.path.empty()) {
    Loaded loaded = of_file(source);
    if (loaded.layer->W_O.size() > 0) loaded.projections = {{"", loaded.layer->W_O}};
    return loaded;
  }
  // X and both heads' Q, K and V, twice while they are handed on, and a row of A.
  constexpr double kPerToken =
      2.0 * (lesson09::kModelWidth + 3.0 * lesson09::kHeadWidth * lesson09::kPipelineHeads) + 1.0;
  const Index T = T_of(source, lesson09::kPipelineTokens, kPerToken);
  Loaded loaded = of_lesson(lesson09::two_head_pipeline(T, source.gain), source);
  for (const lesson09::Projection one : projections)
    loaded.projections.emplace_back(text::name_of(one), lesson09::output_projection(one));
  loaded.parameters.emplace_back("wo", projections.size() == 1 ? text::name_of(projections.front()) : "all");
  return loaded;
}

void declare_file(options::Options& options, input::LayerOptions& file, OwnOptions own) {
  options.section("Heads from a file");
  options.input_file("--input", file.path, "take the heads from a .json, .npy, .npz or .safetensors file")
      .with_input(Input::kItself);
  if (!own.own_as)
    options
        .choice("--as", file.as,
                "what the only array of a file is (A if it has no name), or which of A and Q to use")
        .with_input(Input::kRequires);
  options.choice("--layout", file.layout, "layout of packed projections").with_input(Input::kRequires);
  if (!own.own_H)
    options.add("--H", file.H, "N", "how many heads packed projections hold").with_input(Input::kRequires);
  options.add("--prefix", file.prefix, "TEXT", "what the arrays' names begin with, such as h.5.attn.")
      .with_input(Input::kRequires);
  options.input_file("--x", file.x, "take X from another file").with_input(Input::kRequires);
  options.choice("--axes", file.axes, "how the axes of Q, K and V lie, and those of X")
      .default_is("bhtd,btd")
      .with_input(Input::kRequires);
  options.add("--layer", file.pick.layer, "N", "which layer, from 1, of arrays that have several")
      .with_input(Input::kRequires);
  options.add("--batch", file.pick.batch, "N", "which sequence, from 1, of a batch")
      .with_input(Input::kRequires);
  options.choice("--mask", file.mask, "what a query may not see")
      .default_is("causal")
      .with_input(Input::kRequires);
  options.choice("--align", file.align, "the corner of a causal mask where T_q and T_k differ")
      .with_input(Input::kRequires);
  options.add("--scale", file.scale, "S", "what scores are multiplied by (default: 1/sqrt(d_k))")
      .with_input(Input::kRequires);
  options.add("--set", file.set, "LIST", kSetHelp).with_input(Input::kRequires);
  options.add("--map", file.map, "LIST", "which array is which, as NAME=ARRAY or NAME=FILE:ARRAY")
      .with_input(Input::kRequires);
  options.add("--tokens", file.tokens, "LIST", R"(labels of the positions in the figures: a,"b,c",d)")
      .with_input(Input::kRequires);
  options.section("");
}

void declare_source(options::Options& options, Source& source, const std::string& default_T,
                    const std::string& gain_help) {
  declare_file(options, source.file);
  options.add("--T", source.T, "N", "number of tokens")
      .default_is(default_T)
      .otherwise("with --input from the file");
  options.add("--gain", source.gain, "G", gain_help).with_input(Input::kExcludes);
}

void require_file(const input::LayerOptions& file) {
  if (file.path.empty()) throw std::invalid_argument("--input: a file with heads is needed");
}

std::string sizes_of(const attention::Layer& layer) {
  return layer.T_q == layer.T_k ? fmt::format("T = {}", layer.T_q)
                                : fmt::format("T_q = {}, T_k = {}", layer.T_q, layer.T_k);
}

report::Axis token_axis(const char* name, Index first, const SharedLayer& layer) {
  if (layer->tokens.empty()) return {name, report::numbered("t")};
  return {name, [layer, first](Index k) {
            const Index token = k + first;
            return token < 0 ? std::string() : layer->tokens[static_cast<std::size_t>(token)];
          }};
}

Queries queries_where(const attention::Layer& layer, const std::function<bool(Index t)>& is_meant) {
  constexpr int kMostRuns = 4;
  Queries found{"", 0};
  int runs = 0;
  for (Index t = 0; t < layer.T_q; ++t) {
    if (!is_meant(t)) continue;
    const Index first = t;
    while (t + 1 < layer.T_q && is_meant(t + 1)) ++t;
    found.count += static_cast<report::Count>(t - first + 1);
    if (++runs > kMostRuns) continue;
    found.words += (runs > 1 ? ", " : "") +
                   (t == first ? fmt::to_string(t + 1) : fmt::format("{} to {}", first + 1, t + 1));
  }
  found.words = (found.count == 1 ? "query " : "queries ") + found.words + (runs > kMostRuns ? ", ..." : "");
  return found;
}

Queries queries_without_keys(const attention::Layer& layer) {
  return queries_where(layer, sees_nothing(layer));
}

void add_remarks(const attention::Layer& layer, report::Report& report) {
  report.notes = layer.notes;
  if (report::find(report.parameters, "input") != nullptr)
    report.results.emplace_back("unused", report::List(layer.unused.begin(), layer.unused.end()));
  const Index keys = std::min(layer.T_k, layer.rules.mask.extra);
  if (layer.T_q != keys && layer.rules.mask.offset == layer.shift) {
    const std::string corner = layer.shift == 0                  ? " aligned top-left"
                               : layer.shift == keys - layer.T_q ? " aligned bottom-right"
                                                                 : "";
    const std::string distance =
        layer.shift == 0 ? "" : fmt::format(" {} {}", layer.shift > 0 ? "+" : "-", std::abs(layer.shift));
    report.lines.push_back({fmt::format("causal mask{}: query t sees keys 1 to t{}", corner, distance)});
  }
  std::string said;
  for (const auto& [name, value] : layer.said)
    said += fmt::format("{}{} {}", said.empty() ? "" : ", ", name, value);
  if (!said.empty()) report.lines.push_back({"as told: " + said});
  if (const auto [queries, n] = queries_where(layer, [&](Index t) { return layer.is_padding(t); }); n > 0)
    report.lines.push_back({"padding, left out of means: " + queries});
  if (const auto [queries, n] = queries_without_keys(layer); n > 0) {
    report.lines.push_back({fmt::format("no visible key: {}; such rows are zero", queries)});
    report.results.emplace_back("zero_rows", n);
  }
  if (const auto& above = layer.above_diagonal) {
    const bool later = above->column > above->row + layer.rules.mask.offset;
    report.lines.push_back(
        {fmt::format("weight {}; the largest: head {}, row {}, column {}:",
                     later ? "above the diagonal, which a causal mask forbids" : "of a key that is masked",
                     above->head + 1, above->row + 1, above->column + 1),
         above->weight});
    report.results.emplace_back("above_diagonal", report::Object{{"head", above->head + 1},
                                                                 {"row", above->row + 1},
                                                                 {"column", above->column + 1},
                                                                 {"weight", above->weight}});
  }
}

std::string side_by_side(std::string_view letter, Index H) {
  if (H == 1) return fmt::format("[{}1]", letter);
  return fmt::format("[{0}1, {1}{0}{2}]", letter, H == 2 ? "" : "..., ", H);
}

void require_even_heads(const std::string& heads_option, report::Count H, const std::string& width_option,
                        report::Count width) {
  if (width % H == 0) return;
  throw std::invalid_argument(fmt::format("{} {}: {} heads do not divide {} {} evenly (remainder {})",
                                          heads_option, H, H, width_option, width, width % H));
}

report::Value one_or_list(const report::List& values) {
  return values.size() == 1 ? values.front() : report::Value(values);
}

report::Value one_or_list(const std::vector<report::Count>& counts) {
  return one_or_list(report::List(counts.begin(), counts.end()));
}

}  // namespace mha::commands
