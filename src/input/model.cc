#include "input/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "attention/causal_attention.h"
#include "input/arrays.h"
#include "input/packed.h"
#include "input/quoted_key.h"
#include "input/weight_check.h"

namespace mha::input {
namespace {

[[noreturn]] void refuse(const std::string& message) { throw std::invalid_argument(message); }

std::shared_ptr<const Matrix> shared(Matrix M) { return std::make_shared<const Matrix>(std::move(M)); }

/// Head h's rows of a stack, read as they are asked for.
RowSource rows_of(const Stack& stack, Index h) {
  return [stack, h](Index first, Block rows) { stack.read(h, first, rows); };
}

/// Says which two lengths, widths or counts differ.
void require_same(Index found, Index right, const std::string& what, const std::string& than) {
  if (found != right) refuse(fmt::format("{} is {}, and {} is {}", what, found, than, right));
}

void require_shared_evenly(const Stack& K, Index H) {
  if (H % K.heads() != 0)
    refuse(fmt::format("{}: {} heads cannot be shared evenly by {} query heads", K.place(), K.heads(), H));
}

/// Every K/V head of V, for query heads that share them.
void add_values(const Stack& V, Model& model) {
  const auto H = static_cast<Index>(model.heads.size());
  require_shared_evenly(V, H);
  require_same(V.rows(), model.T_k, fmt::format("{}: the number of values", V.place()), "the number of keys");
  std::vector<std::shared_ptr<const Matrix>> values;
  for (Index g = 0; g < V.heads(); ++g) values.push_back(shared(V.matrix(g)));
  for (Index h = 0; h < H; ++h) {
    model.heads[static_cast<std::size_t>(h)].V = values[static_cast<std::size_t>(h * V.heads() / H)];
  }
}

void read_weights(const Arrays& arrays, Model& model) {
  const Stack A = *arrays.stack("A");
  model.T_q = A.rows();
  model.T_k = A.cols();
  model.kv_heads = A.heads();
  for (Index h = 0; h < A.heads(); ++h) {
    ModelHead head;
    head.A = rows_of(A, h);
    model.heads.push_back(std::move(head));
  }
  if (const auto V = arrays.stack("V")) add_values(*V, model);
}

void read_queries(const Arrays& arrays, Model& model) {
  const Stack Q = arrays.needed_stack("Q", "K is of no use without it");
  const Stack K = arrays.needed_stack("K", "Q is of no use without it");
  require_shared_evenly(K, Q.heads());
  require_same(K.cols(), Q.cols(), fmt::format("{}: the width of a key", K.place()), "that of a query");
  model.T_q = Q.rows();
  model.T_k = K.rows();
  model.kv_heads = K.heads();
  std::vector<std::shared_ptr<const Matrix>> keys;
  for (Index g = 0; g < K.heads(); ++g) keys.push_back(shared(K.matrix(g)));
  for (Index h = 0; h < Q.heads(); ++h) {
    ModelHead head;
    head.Q = shared(Q.matrix(h));
    head.K = keys[static_cast<std::size_t>(h * K.heads() / Q.heads())];
    model.heads.push_back(std::move(head));
  }
  if (const auto V = arrays.stack("V")) {
    require_same(V->heads(), K.heads(), fmt::format("{}: the number of heads", V->place()), "that of K");
    add_values(*V, model);
  }
}

/// One head of JSON's list: {name, Q, K, V} or {name, A, V}.
void read_listed_head(const Arrays& arrays, const std::string& name, const std::string& as, Model& model) {
  ModelHead head;
  if (const auto* text = arrays.file().texts(name + ".name")) head.name = text->front();
  Index T_q = 0;
  Index T_k = 0;
  const auto one = [](const Stack& stack) {
    if (stack.heads() != 1)
      refuse(fmt::format("{}: has {} heads, and is one of a list", stack.place(), stack.heads()));
    return stack;
  };
  const bool has_A = arrays.has(name + ".A");
  const bool has_Q = arrays.has(name + ".Q") || arrays.has(name + ".K");
  if (has_A && has_Q && as != "A" && as != "Q")
    refuse(fmt::format("{}: has A, and Q and K; --as A or --as Q says which to take", arrays.place(name)));
  if (has_A && !(has_Q && as == "Q")) {
    const Stack A = one(*arrays.stack(name + ".A"));
    T_q = A.rows();
    T_k = A.cols();
    head.A = rows_of(A, 0);
  } else {
    const Stack Q = one(arrays.needed_stack(name + ".Q", "a head has Q and K, or A"));
    const Stack K = one(arrays.needed_stack(name + ".K", "a head has Q and K, or A"));
    require_same(K.cols(), Q.cols(), fmt::format("{}: the width of a key", K.place()), "that of a query");
    T_q = Q.rows();
    T_k = K.rows();
    head.Q = shared(Q.matrix());
    head.K = shared(K.matrix());
  }
  if (const auto V = arrays.stack(name + ".V")) {
    require_same(one(*V).rows(), T_k, fmt::format("{}: the number of values", V->place()),
                 "the number of keys");
    head.V = shared(V->matrix());
  }
  if (model.heads.empty()) {
    model.T_q = T_q;
    model.T_k = T_k;
  }
  require_same(T_q, model.T_q, fmt::format("{}: the number of queries", arrays.place(name)),
               "that of the first head");
  require_same(T_k, model.T_k, fmt::format("{}: the number of keys", arrays.place(name)),
               "that of the first head");
  model.heads.push_back(std::move(head));
}

/// How many heads JSON's list has, counting one that has only a name: none may be dropped in silence.
std::size_t listed_heads(const ArrayFile& file) {
  constexpr std::string_view kHead = "heads[";
  std::size_t count = 0;
  for (const ArrayInfo& array : file.arrays()) {
    if (!array.name.starts_with(kHead)) continue;
    std::size_t number = 0;
    std::from_chars(array.name.data() + kHead.size(), array.name.data() + array.name.size(), number);
    count = std::max(count, number + 1);
  }
  while (file.texts(fmt::format("heads[{}].name", count)) != nullptr) ++count;
  return count;
}

void read_list(const Arrays& arrays, const std::string& as, Model& model) {
  const std::size_t count = listed_heads(arrays.file());
  for (std::size_t i = 0; i < count; ++i) read_listed_head(arrays, fmt::format("heads[{}]", i), as, model);
  model.kv_heads = static_cast<Index>(model.heads.size());
}

/// Which of the forms the file has.
void read_heads(const Arrays& arrays, const ModelOptions& options, Model& model) {
  if (!options.layout.empty()) return read_packed(arrays, options, model);
  if (!options.x.empty())
    refuse(fmt::format("{}: X is projected by packed weights; --layout says how they lie", options.x_name));
  const bool has_A = arrays.has("A");
  const bool has_Q = arrays.has("Q") || arrays.has("K");
  const bool asked = options.as == "A" || options.as == "Q";
  if (has_A && has_Q && !asked)
    refuse(fmt::format("{}: has A, and Q and K; --as A or --as Q says which to take", model.name));
  const bool has_list = listed_heads(arrays.file()) > 0;
  if (has_list && (has_A || has_Q))
    refuse(fmt::format("{}: has a list of heads, and {} beside it; it can be one of them", model.name,
                       has_A ? "A" : "Q and K"));
  if (has_A && (!has_Q || options.as == "A")) return read_weights(arrays, model);
  if (has_Q) return read_queries(arrays, model);
  if (has_list) return read_list(arrays, options.as, model);
  for (const char* packed : {"W_Q", "in_proj_weight", "c_attn.weight"}) {
    if (arrays.has(packed))
      refuse(fmt::format(
          "{}: a square matrix does not show its orientation; --layout lesson, torch or gpt2 says how it lies",
          arrays.place(packed)));
  }
  refuse(fmt::format(
      "{}: has neither A, nor Q and K, nor packed projections{}{}", model.name,
      options.prefix.empty() ? "" : fmt::format(" by names that begin with {}", quoted_key(options.prefix)),
      arrays.holdings()));
}

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
        "{}: has T_q = {} queries and T_k = {} keys; a causal mask needs --align top-left or bottom-right, since libraries differ, and --mask none is for queries that see every key",
        model.name, model.T_q, model.T_k));
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
    head.Q_scaled = options.scale ? shared(*head.Q * (*options.scale * root)) : head.Q;
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

}  // namespace

Index Model::blind_queries() const { return mask.blind(0, T_q); }

Model read_model(const ModelOptions& options) {
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
