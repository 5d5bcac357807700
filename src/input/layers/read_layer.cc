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
#include "input/layers/config.h"
#include "input/layers/modifiers.h"
#include "input/layers/read_heads.h"
#include "input/layers/rules.h"
#include "input/layers/settings.h"
#include "input/memory.h"
#include "text/field.h"

namespace mha::input {
namespace {

using text::field;

/// Doubles read at a time.
constexpr Index kHeld = Index{1} << 18;

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

/// Q, K and V without the numbers in rows of padding, which may be none. Refuses them elsewhere.
void clear_padding(attention::Layer& layer) {
  const auto cleared = [&](const attention::SharedMatrix& M, const char* name, std::size_t h,
                           const auto& is_padding) {
    if (!M || M->allFinite()) return M;
    Matrix copy = *M;
    for (Index r = 0; r < copy.rows(); ++r) {
      if (copy.row(r).allFinite()) continue;
      if (!is_padding(r))
        refuse(fmt::format("{}: {} of head {}, row {}: is not finite, and no padding", layer.name, name,
                           h + 1, r + 1));
      copy.row(r).setZero();
    }
    return std::make_shared<const Matrix>(std::move(copy));
  };
  const attention::Mask& mask = layer.rules.mask;
  const auto query = [&](Index t) { return layer.is_padding(t); };
  const auto key = [&](Index i) { return i >= mask.length || !mask.is_token(i); };
  for (std::size_t h = 0; h < layer.heads.size(); ++h) {
    attention::Head& head = layer.heads[h];
    head.Q = cleared(head.Q, "Q", h, query);
    head.K = cleared(head.K, "K", h, key);
    head.V = cleared(head.V, "V", h, key);
  }
}

void check_scores(const LayerOptions& options, attention::Layer& layer) {
  for (std::size_t h = 0; options.scale && h < layer.heads.size(); ++h) {
    if (layer.heads[h].A)
      refuse(fmt::format("{} {}: {} has the weights of head {} themselves, no scores", field("scale"),
                         *options.scale, layer.name, h + 1));
  }
  if (options.scale) layer.advice = fmt::format("{} {} multiplies them", field("scale"), *options.scale);
  for (std::size_t h = 0; h < layer.heads.size(); ++h) attention::require_finite_scores(layer, h);
  layer.advice.clear();
}

void name_tokens(const LayerOptions& options, const Arrays& arrays, attention::Layer& layer) {
  const bool has_extra = layer.rules.mask.extra < layer.T_k;
  const auto count = [&] {
    if (has_extra && !layer.tokens.empty() && static_cast<Index>(layer.tokens.size()) < layer.T_k)
      layer.tokens.emplace_back("bias");
    return static_cast<Index>(layer.tokens.size());
  };
  layer.tokens = options.tokens;
  if (!layer.tokens.empty()) {
    if (count() != layer.T_k)
      refuse(fmt::format("{}: {} labels for {} key positions", field("tokens"), count(), layer.T_k));
    return;
  }
  const auto [file, array] = arrays.find_beside("tokens");
  if (array == nullptr) return;
  // Labels change no number: what cannot be used is said and left out.
  const std::string place = place_of(file->name(), array->name);
  if (const auto* texts = file->texts(array->name)) layer.tokens = *texts;
  if (count() == layer.T_k) return;
  layer.notes.push_back(
      layer.tokens.empty()
          ? fmt::format("{}: are no strings, and not used as labels; {} gives some", place, field("tokens"))
          : fmt::format("{}: {} labels for {} key positions are not used", place, count(), layer.T_k));
  layer.tokens.clear();
}

/// How far from 1 the sum of a row of weights may be: softmax in the format's precision and its rounding on
/// the way to the file, where half of the smallest number of a float16 may be lost of each weight.
double sum_tolerance(attention::Precision precision, Index T_k) {
  switch (precision) {
    case attention::Precision::kFloat16:
      return attention::epsilon(precision) + 0x1p-25 * static_cast<double>(T_k);
    case attention::Precision::kBfloat16:
      return attention::epsilon(precision);
    default:
      return 1e-4;
  }
}

/// The sum of a row that is a distribution.
double checked_sum(attention::Layer& layer, std::size_t h, Index t, const auto& row) {
  const auto refuse = [&](const std::string& what) {
    throw std::invalid_argument(fmt::format("{}: A of head {}, row {}: {}{}{}", layer.name, h + 1, t + 1,
                                            what, layer.advice.empty() ? "" : "; ", layer.advice));
  };
  if (layer.is_padding(t)) return 1.0;
  double sum = 0.0;
  for (Index i = 0; i < row.size(); ++i) {
    if (!std::isfinite(row[i])) refuse(fmt::format("column {} is {}, and no padding", i + 1, row[i]));
    if (row[i] < 0.0) refuse(fmt::format("column {} is {}, and no weight is below 0", i + 1, row[i]));
    sum += row[i];
  }
  const Index visible = layer.visible(h, t);
  if (visible == 0 && sum != 0.0) refuse(fmt::format("sums to {}, and sees no key: such a row is zero", sum));
  if (visible == 0) return 1.0;
  const double tolerance = sum_tolerance(layer.precision, layer.T_k);
  const bool less = layer.heads[h].sink && sum <= 1.0 + tolerance;
  if (!less && !(std::abs(sum - 1.0) <= tolerance))
    refuse(fmt::format("sums to {}, not to 1 within {}", sum, tolerance));
  for (Index i = 0; i < row.size(); ++i) {
    if (row[i] > (layer.above_diagonal ? layer.above_diagonal->weight : 0.0) && !layer.sees(h, t, i))
      layer.above_diagonal = {h, t, i, row[i]};
  }
  return less ? 1.0 : sum;
}

/// The rows with zeros for padding, divided by their sums where `renormalise` says so; a row of zeros stays
/// one.
RowSource mended(RowSource A, bool renormalise, const attention::Layer& layer) {
  std::vector<bool> padding;
  for (Index t = 0; t < layer.T_q; ++t) padding.push_back(layer.is_padding(t));
  return [A = std::move(A), renormalise, padding = std::move(padding)](Index first, Block rows) {
    A(first, rows);
    for (Index r = 0; r < rows.rows(); ++r) {
      if (padding[static_cast<std::size_t>(first + r)]) rows.row(r).setZero();
      const double sum = rows.row(r).sum();
      if (renormalise && sum > 0.0) rows.row(r) /= sum;
    }
  };
}

/// Refuses given weights of which a row is no distribution, and notes the largest weight above the diagonal,
/// which is not wrong, but no causal mask. Reads every row once. Sums that half precision rounded are mended.
void check_weights(attention::Layer& layer) {
  const Index height = std::clamp<Index>(kHeld / layer.T_k, 1, layer.T_q);
  const bool half = layer.precision > attention::Precision::kFloat32;
  double farthest = 0.0;
  for (std::size_t h = 0; h < layer.heads.size(); ++h) {
    RowSource& source = layer.heads[h].A;
    if (!source) continue;
    require_memory(layer.name + ": a row of A", sizeof(double) * static_cast<double>(layer.T_k));
    for (Index first = 0; first < layer.T_q; first += height) {
      Matrix A(std::min(height, layer.T_q - first), layer.T_k);
      source(first, A);
      for (Index r = 0; r < A.rows(); ++r)
        farthest = std::max(farthest, std::abs(checked_sum(layer, h, first + r, A.row(r)) - 1.0));
    }
    const bool renormalise = half && !layer.heads[h].sink;
    if (renormalise || layer.rules.mask.tokens_before) source = mended(std::move(source), renormalise, layer);
  }
  if (half && farthest > 0.0)
    layer.notes.push_back(fmt::format("{}: A is {}: its rows sum to 1 within {}, and are renormalised",
                                      layer.name, text::name_of(layer.precision), farthest));
}

}  // namespace

AxesOf axes_of(std::string_view given, const std::vector<AxisOrder>& orders) {
  AxesOf axes;
  const auto count = [&](AxisOrder one, AxisOrder other) {
    return std::count(orders.begin(), orders.end(), one) + std::count(orders.begin(), orders.end(), other);
  };
  if (count(AxisOrder::kBhtd, AxisOrder::kBthd) > 1 || count(AxisOrder::kBtd, AxisOrder::kTbd) > 1)
    refuse(fmt::format("{}: one order of Q, K and V, bhtd or bthd, and one of X, btd or tbd", field(given)));
  for (const AxisOrder order : orders) {
    if (order == AxisOrder::kBthd) axes.heads = "lbthn";
    if (order == AxisOrder::kTbd) axes.tokens = "ltbn";
  }
  return axes;
}

namespace {

/// What the layout says of its arrays, and the settings of its model: of a configuration beside the file
/// first.
void apply_layout(LayerOptions& options, Arrays& arrays, Settings& settings) {
  if (!options.layout) return;
  const LayoutRow& row = row_of(*options.layout);
  const std::vector<std::string> norms = alternatives(row.norms);
  for (std::size_t i = 0; i < norms.size(); ++i) {
    if (const Found found = arrays.find(norms[i]); found.array != nullptr)
      arrays.call(i == 0 ? "q_norm" : "k_norm", found);
  }
  for (const std::string& name : alternatives(row.beside)) {
    if (name == "mask") arrays.call(name, {});
  }
  if (const std::string config = config_beside(options.path); !config.empty())
    read_config(config, options, settings);
  if (row.scale != 0.0) settings.add("scale", row.scale, arrays.file().name());
  const std::string layout = fmt::format("{} {}", field("layout"), text::name_of(*options.layout));
  if (row.rotates && !settings.number("rope_base"))
    refuse(
        fmt::format("{}: queries and keys are turned by their positions; {} rope_base=10000 (or what the "
                    "model has) says how, rope_base=none that they are not",
                    layout, field("set")));
  // T5 adds a bias of relative positions: without it the numbers would be others.
  if (options.layout == Layout::kT5 && arrays.find_beside("mask").array == nullptr &&
      options.mask != Masking::kNone)
    refuse(fmt::format(
        "{}: its bias of relative positions is needed as an array mask; {} none computes without it", layout,
        field("mask")));
}

}  // namespace

attention::Layer read_layer(const LayerOptions& options) {
  return read_layer(open_arrays(options.path, file_name("input", options.path)), options);
}

attention::Layer read_layer(std::shared_ptr<const ArrayFile> file, const LayerOptions& given) {
  LayerOptions options = given;
  attention::Layer layer;
  layer.name = file->name();
  // An array without a name is A unless somebody says otherwise; one with another name never is.
  const bool nameless = file->find("") != nullptr;
  const std::string letter = options.as || nameless ? text::name_of(options.as.value_or(Role::kA)) : "";
  Arrays arrays(std::move(file), options.prefix, letter, options.pick);
  arrays.map(options.map);
  Settings settings(options.set);
  settings.add_from(arrays);
  apply_layout(options, arrays, settings);
  read_heads(arrays, options, layer);
  if (options.H && *options.H != layer.H())
    refuse(fmt::format("{} {}: {} has {} heads", field("H"), *options.H, layer.name, layer.H()));
  read_projection(arrays, layer);
  choose_rules(arrays, options, settings, layer);
  clear_padding(layer);
  modify_heads(arrays, settings, layer);
  check_scores(options, layer);
  name_tokens(options, arrays, layer);
  if (nameless && !options.as)
    layer.advice =
        fmt::format("an array without a name is taken for A, unless {} says what it is", field("as"));
  check_weights(layer);
  layer.advice.clear();
  return layer;
}

}  // namespace mha::input
