#include "input/layers/model.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "attention/causal_attention.h"
#include "input/formats/open_arrays.h"
#include "input/formats/place.h"
#include "input/layers/arrays.h"
#include "input/layers/read_heads.h"
#include "input/layers/weight_check.h"

namespace mha::input {
namespace {

[[noreturn]] void refuse(const std::string& message) { throw std::invalid_argument(message); }

void read_projection(const Arrays& arrays, Model& model) {
  if (model.W_O.size() == 0) model.W_O = arrays.matrix("W_O");
  if (model.b_O.size() == 0) model.b_O = arrays.row("b_O");
  if (model.W_O.size() == 0) {
    if (model.b_O.size() > 0) refuse(fmt::format("{}: is of no use without W_O", arrays.place("b_O")));
    return;
  }
  model.biases += model.b_O.size();
  Index width = 0;
  for (const ModelHead& head : model.heads) width += head.V ? head.V->cols() : 0;
  if (width > 0)
    require_same(model.W_O.rows(), width, fmt::format("{}: the height of W_O", model.name),
                 "the width of Concat, H·d_v,");
  if (model.b_O.size() > 0)
    require_same(model.b_O.cols(), model.W_O.cols(),
                 fmt::format("{}: the size of the output bias", model.name), "the width of W_O");
}

void choose_mask(const ModelOptions& options, Model& model) {
  const bool square = model.T_q == model.T_k;
  const bool causal = options.mask == "causal";
  if (causal && !square && options.align.empty())
    refuse(fmt::format(
        "{}: has T_q = {} queries and T_k = {} keys; a causal mask needs --align top-left or bottom-right, since libraries differ, and --mask none is for queries that see every key{}",
        model.name, model.T_q, model.T_k,
        options.as.empty() && model.file->find("") != nullptr
            ? "; an array without a name is taken for A, unless --as says what it is"
            : ""));
  model.shift = options.align == "bottom-right" ? model.T_k - model.T_q : 0;
  model.mask = causal ? attention::Mask{model.shift} : attention::Mask::kNone;
}

void scale_queries(const ModelOptions& options, Model& model) {
  std::size_t number = 0;
  for (ModelHead& head : model.heads) {
    ++number;
    if (!head.Q) {
      if (options.scale)
        refuse(fmt::format("--scale {}: {} has the weights of head {} themselves, no scores", *options.scale,
                           model.name, number));
      continue;
    }
    const double root = std::sqrt(static_cast<double>(head.Q->cols()));
    head.Q_scaled =
        options.scale ? std::make_shared<const Matrix>(*head.Q * (*options.scale * root)) : head.Q;
    if (!std::isfinite(attention::largest_score_bound(*head.Q_scaled, *head.K)))
      refuse(fmt::format("{}{}: the scores Q K' of head {} overflow a double",
                         options.scale ? fmt::format("--scale {}: ", *options.scale) : "", model.name,
                         number));
  }
}

void name_tokens(const ModelOptions& options, const Arrays& arrays, Model& model) {
  model.tokens = options.tokens;
  std::string where = "--tokens";
  if (model.tokens.empty()) {
    where = place_of(model.name, "tokens");
    if (const auto* texts = arrays.file().texts("tokens")) model.tokens = *texts;
    if (model.tokens.empty() && arrays.file().find("tokens") != nullptr)
      refuse(fmt::format("{}: are numbers; labels are strings, in JSON or by --tokens", where));
  }
  const auto count = static_cast<Index>(model.tokens.size());
  if (count > 0 && count != model.T_k)
    refuse(fmt::format("{}: {} labels for {} key positions", where, count, model.T_k));
}

/// The command line has checked it; others may not have.
void require_one_of(const std::string& option, const std::string& value,
                    const std::vector<std::string>& known) {
  if (!value.empty() && std::find(known.begin(), known.end(), value) == known.end())
    refuse(fmt::format("{} {}: it is one of {}", option, value, fmt::join(known, ", ")));
}

}  // namespace

Index Model::blind_queries() const { return mask.blind(0, T_q); }

Model read_model(const ModelOptions& options) {
  require_one_of("--layout", options.layout, kLayouts);
  require_one_of("--mask", options.mask, kMasks);
  require_one_of("--align", options.align, kAlignments);
  const std::string nameless = options.as.empty() ? "A" : options.as;
  const Arrays arrays(open_arrays(options.file, options.file_name), options.prefix, nameless, options.pick);
  Model model{};
  model.name = options.file_name;
  model.file = arrays.shared_file();
  read_heads(arrays, options, model);
  const auto H = static_cast<Index>(model.heads.size());
  if (options.H && *options.H != H) refuse(fmt::format("--H {}: {} has {} heads", *options.H, model.name, H));
  if (options.T && (*options.T != model.T_q || *options.T != model.T_k))
    refuse(fmt::format("--T {}: {} has {}", *options.T, model.name,
                       model.T_q == model.T_k ? fmt::format("T = {}", model.T_q)
                                              : fmt::format("T_q = {} and T_k = {}", model.T_q, model.T_k)));
  read_projection(arrays, model);
  choose_mask(options, model);
  scale_queries(options, model);
  name_tokens(options, arrays, model);
  check_weights(model);
  return model;
}

}  // namespace mha::input
