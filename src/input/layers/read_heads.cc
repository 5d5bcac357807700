#include "input/layers/read_heads.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "input/formats/place.h"
#include "input/layers/layouts.h"
#include "input/layers/modifiers.h"
#include "input/layers/names.h"
#include "input/layers/projections.h"
#include "text/field.h"

namespace mha::input {
namespace {

using text::field;

std::shared_ptr<const Matrix> shared(Matrix M) { return std::make_shared<const Matrix>(std::move(M)); }

/// Head h's rows of a stack, read as they are asked for: finite ones are up to who checks the weights.
RowSource rows_of(const Stack& stack, Index h) {
  return [stack, h](Index first, Block rows) { stack.read(h, first, rows, Finite::kNotRequired); };
}

/// Rows of padding may hold anything: read_layer sees to the others.
Finite finite_in(const Arrays& arrays, const LayerOptions& options) {
  const auto has = [&](const char* name) { return arrays.find_beside(name).array != nullptr; };
  const bool padding = has("key_mask") || has("kv_length") ||
                       std::any_of(options.set.begin(), options.set.end(),
                                   [](const std::string& one) { return one.starts_with("kv_length="); });
  return padding ? Finite::kNotRequired : Finite::kRequired;
}

void require_same_width(const Stack& K, const Stack& Q) {
  require_same(K.cols(), Q.cols(), fmt::format("{}: the width of a key", K.place()), "that of a query");
}

/// Whether A is to be taken and not Q and K, where `name` is a head of a list or nothing. Q and K win: an A
/// beside them is what somebody made of them.
bool takes_A(const Arrays& arrays, const std::string& name, std::optional<Role> as) {
  const bool has_Q = arrays.has(name + "Q") || arrays.has(name + "K");
  return arrays.has(name + "A") && (!has_Q || as == Role::kA);
}

/// Refuses an `as` that the file cannot follow.
void require_role(const Arrays& arrays, const LayerOptions& options) {
  if (!options.as || arrays.file().arrays().size() == 1 || arrays.file().find("") != nullptr) return;
  const std::string as = fmt::format("{} {}", field("as"), text::name_of(*options.as));
  if (*options.as != Role::kA && *options.as != Role::kQ)
    refuse(fmt::format("{}: {} has several arrays, each with its name{}", as, arrays.file().name(),
                       arrays.holdings()));
  const std::string letter = text::name_of(*options.as);
  const auto& all = arrays.file().arrays();
  const bool listed = std::any_of(all.begin(), all.end(), [&](const ArrayInfo& array) {
    return array.name.starts_with("heads[") && array.name.ends_with("]." + letter);
  });
  if (!arrays.has(letter) && !listed)
    refuse(fmt::format("{}: {}", as, arrays.missing(letter, "though it is asked for")));
}

/// More heads than tokens are more likely tokens that come before the heads.
void note_many_heads(const ArrayInfo& Q, const Stack& heads, Index T_k, const LayerOptions& options,
                     attention::Layer& layer) {
  const bool said = std::any_of(options.axes.begin(), options.axes.end(), [](AxisOrder order) {
    return order == AxisOrder::kBhtd || order == AxisOrder::kBthd;
  });
  if (said || heads.heads() <= T_k) return;
  layer.notes.push_back(fmt::format(
      "{} is {}, read as {} heads over {} tokens; {} bthd reads {} heads over {} tokens", heads.place(),
      shown_shape(Q.shape), heads.heads(), heads.rows(), field("axes"), heads.rows(), heads.heads()));
}

void require_shared_evenly(const Stack& K, Index H) {
  if (H % K.heads() != 0)
    refuse(fmt::format("{}: {} heads cannot be shared evenly by {} query heads", K.place(), K.heads(), H));
}

/// Every K/V head of V, for query heads that share them.
void add_values(const Stack& V, Finite finite, attention::Layer& layer) {
  const auto H = static_cast<Index>(layer.heads.size());
  require_shared_evenly(V, H);
  require_same(V.rows(), layer.T_k, fmt::format("{}: the number of values", V.place()), "the number of keys");
  std::vector<std::shared_ptr<const Matrix>> values;
  for (Index g = 0; g < V.heads(); ++g) values.push_back(shared(V.matrix(g, finite)));
  for (Index h = 0; h < H; ++h) {
    layer.heads[static_cast<std::size_t>(h)].V = values[static_cast<std::size_t>(h * V.heads() / H)];
  }
}

void read_weights(const Arrays& arrays, const LayerOptions& options, attention::Layer& layer) {
  const Stack A = *arrays.stack("A");
  layer.T_q = A.rows();
  layer.T_k = A.cols();
  layer.batches = A.batches();
  layer.kv_heads = A.heads();
  for (Index h = 0; h < A.heads(); ++h) {
    attention::Head head;
    head.A = rows_of(A, h);
    layer.heads.push_back(std::move(head));
  }
  if (const auto V = arrays.stack("V")) add_values(*V, finite_in(arrays, options), layer);
}

void read_queries(const Arrays& arrays, const LayerOptions& options, attention::Layer& layer) {
  const Axes axes = axes_of("axes", options.axes).heads;
  const Finite finite = finite_in(arrays, options);
  const Stack Q = arrays.needed_stack("Q", "K is of no use without it", axes);
  const Stack K = arrays.needed_stack("K", "Q is of no use without it", axes);
  note_many_heads(*arrays.find("Q").array, Q, K.rows(), options, layer);
  layer.batches = Q.batches();
  require_shared_evenly(K, Q.heads());
  require_same_width(K, Q);
  layer.T_q = Q.rows();
  layer.T_k = K.rows();
  layer.kv_heads = K.heads();
  std::vector<std::shared_ptr<const Matrix>> keys;
  for (Index g = 0; g < K.heads(); ++g) keys.push_back(shared(K.matrix(g, finite)));
  for (Index h = 0; h < Q.heads(); ++h) {
    attention::Head head;
    head.Q = shared(Q.matrix(h, finite));
    head.K = keys[static_cast<std::size_t>(h * K.heads() / Q.heads())];
    layer.heads.push_back(std::move(head));
  }
  if (const auto V = arrays.stack("V", axes)) {
    require_same(V->heads(), K.heads(), fmt::format("{}: the number of heads", V->place()), "that of K");
    add_values(*V, finite, layer);
  }
}

/// One head of JSON's list: {name, Q, K, V} or {name, A, V}.
void read_listed_head(const Arrays& arrays, const std::string& name, std::optional<Role> as,
                      attention::Layer& layer) {
  attention::Head head;
  if (const auto* text = arrays.file().texts(name + ".name")) head.name = text->front();
  Index T_q = 0;
  Index T_k = 0;
  const auto one = [](const Stack& stack) {
    if (stack.heads() != 1)
      refuse(fmt::format("{}: has {} heads, and is one of a list", stack.place(), stack.heads()));
    return stack;
  };
  if (takes_A(arrays, name + ".", as)) {
    const Stack A = one(*arrays.stack(name + ".A"));
    T_q = A.rows();
    T_k = A.cols();
    head.A = rows_of(A, 0);
  } else {
    const Stack Q = one(arrays.needed_stack(name + ".Q", "a head has Q and K, or A"));
    const Stack K = one(arrays.needed_stack(name + ".K", "a head has Q and K, or A"));
    require_same_width(K, Q);
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
  if (layer.heads.empty()) {
    layer.T_q = T_q;
    layer.T_k = T_k;
  }
  require_same(T_q, layer.T_q, fmt::format("{}: the number of queries", arrays.place(name)),
               "that of the first head");
  require_same(T_k, layer.T_k, fmt::format("{}: the number of keys", arrays.place(name)),
               "that of the first head");
  layer.heads.push_back(std::move(head));
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
  return count;
}

void read_list(const Arrays& arrays, std::optional<Role> as, attention::Layer& layer) {
  const std::size_t count = listed_heads(arrays.file());
  for (std::size_t i = 0; i < count; ++i) read_listed_head(arrays, fmt::format("heads[{}]", i), as, layer);
  layer.kv_heads = static_cast<Index>(layer.heads.size());
}

[[noreturn]] void refuse_unknown(const Arrays& arrays, const LayerOptions& options) {
  if (const std::string fitting = fitting_layouts(arrays); !fitting.empty())
    refuse(fmt::format("{}: holds projections, and a square matrix does not show its orientation{}",
                       arrays.file().name(), fitting));
  refuse(fmt::format(
      "{}: has neither A, nor Q and K, nor packed projections{}{}", arrays.file().name(),
      options.prefix.empty() ? "" : fmt::format(" by names that begin with {}", quoted_key(options.prefix)),
      arrays.holdings()));
}

}  // namespace

void read_heads(const Arrays& arrays, const LayerOptions& options, attention::Layer& layer) {
  require_role(arrays, options);
  if (options.layout) return read_projections(arrays, options, layer);
  if (!options.x.empty())
    refuse(fmt::format("{}: X is projected by packed weights; {} says how they are stored",
                       file_name("x", options.x), field("layout")));
  const bool has_A = arrays.has("A");
  const bool has_Q = arrays.has("Q") || arrays.has("K");
  const bool has_list = listed_heads(arrays.file()) > 0;
  if (has_list && (has_A || has_Q))
    refuse(fmt::format("{}: has a list of heads, and {} beside it; it can be one of them", layer.name,
                       has_A ? "A" : "Q and K"));
  const std::vector<std::string> beside = {"W_O", "b_O", "tokens"};
  std::vector<std::string> read;
  std::vector<std::string> harmless = {"X", "O", "O_concat", "head"};
  if (takes_A(arrays, "", options.as)) {
    read_weights(arrays, options, layer);
    read = {"A", "V"};
    harmless.insert(harmless.end(), {"Q", "K"});
  } else if (has_Q) {
    read_queries(arrays, options, layer);
    read = {"Q", "K", "V"};
    harmless.emplace_back("A");
  } else if (has_list) {
    read_list(arrays, options.as, layer);
    for (Index h = 0; h < layer.H(); ++h) {
      for (const char* const letter : {"name", "Q", "K", "V", "A"})
        read.push_back(fmt::format("heads[{}].{}", h, letter));
    }
  } else {
    refuse_unknown(arrays, options);
  }
  read.insert(read.end(), beside.begin(), beside.end());
  const bool scores = std::any_of(layer.heads.begin(), layer.heads.end(),
                                  [](const attention::Head& head) { return head.Q != nullptr; });
  if (scores) {
    read.insert(read.end(), modifier_names().begin(), modifier_names().end());
    read.insert(read.end(), Settings::names().begin(), Settings::names().end());
  } else {  // what tells which keys a query sees, and whether a row sums to 1
    read.insert(read.end(), {"mask", "key_mask", "sinks", "causal", "offset", "window", "kv_length"});
  }
  account_for_names(arrays, {read, harmless, scores}, layer);
}

}  // namespace mha::input
