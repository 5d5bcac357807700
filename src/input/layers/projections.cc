#include "input/layers/projections.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

#include "attention/multi_head.h"
#include "input/formats/open_arrays.h"
#include "input/formats/place.h"
#include "input/layers/layouts.h"
#include "input/layers/modifiers.h"
#include "input/layers/names.h"
#include "input/memory.h"
#include "text/field.h"

namespace mha::input {
namespace {

using text::field;

/// The projections as x · W + b, whatever the layout.
struct Projections {
  Matrix W_Q, W_K, W_V;
  Matrix b_Q, b_K, b_V;
  std::optional<Index> H = {};  ///< where the arrays show it
};

std::string shown_size(const Matrix& M) {
  const std::vector<Index> sizes = {M.rows(), M.cols()};
  return shown_shape(sizes);
}

void require_size(const std::string& place, const Matrix& M, Index rows, Index cols, const std::string& why) {
  if (M.rows() == rows && M.cols() == cols) return;
  const std::vector<Index> right = {rows, cols};
  throw std::invalid_argument(
      fmt::format("{} is {}; it has to be {}, {}", place, shown_size(M), shown_shape(right), why));
}

/// An array with those axes as a matrix: the heads side by side in its columns (or, of the output projection
/// and its like, in its rows), i down and o across. `H` becomes the number of heads if the array has that
/// axis.
Matrix read_weight(const Found& found, Axes axes, bool heads_in_rows, const Pick& pick,
                   std::optional<Index>& H) {
  const std::string place = place_of(found.file->name(), found.array->name);
  const std::vector<Index>& shape = found.array->shape;
  found.file->require_numbers(*found.array);
  std::string order(axes);
  if (shape.size() < order.size()) std::erase(order, 'l');
  if (shape.size() != order.size())
    refuse(place, fmt::format("is {}; it has to be {}", shown_shape(shape), forms(axes)));
  struct Axis {
    Index size = 1;
    Index stride = 0;
  };
  std::map<char, Axis> of;
  Index stride = 1;
  for (std::size_t axis = order.size(); axis-- > 0; stride *= shape[axis])
    of[order[axis]] = {shape[axis], stride};
  const bool layered = of.contains('l');
  const Index layer = picked(pick.layer, layered ? std::optional(of['l'].size) : std::nullopt, "layers",
                             "layer", fmt::format("{} is {}", place, shown_shape(shape)));
  const Axis h = of['h'];
  const Axis i = of['i'];
  const Axis o = of['o'];
  if (order.find('h') != std::string::npos) H = h.size;
  const Index count = h.size * i.size * o.size;
  require_memory(place, 2.0 * static_cast<double>(count) * sizeof(double));
  std::vector<double> values(static_cast<std::size_t>(count));
  found.file->read(*found.array, layer * count, values);
  Matrix W(i.size * (heads_in_rows ? h.size : 1), o.size * (heads_in_rows ? 1 : h.size));
  for (Index head = 0; head < h.size; ++head) {
    for (Index in = 0; in < i.size; ++in) {
      const double* from = values.data() + head * h.stride + in * i.stride;
      double* to = heads_in_rows ? W.row(head * i.size + in).data() : W.row(in).data() + head * o.size;
      for (Index out = 0; out < o.size; ++out) to[out] = from[out * o.stride];
    }
  }
  return W;
}

class Reader {
 public:
  Reader(const Arrays& arrays, const LayerOptions& options)
      : arrays_(arrays), options_(options), row_(row_of(*options.layout)) {}

  [[nodiscard]] Projections projections() {
    Projections p;
    if (row_.packing == Packing::kSeparate) {
      p.W_Q = needed(row_.Q);
      p.W_K = needed(row_.K);
      p.W_V = needed(row_.V);
    } else {
      split(needed(row_.Q), p.W_Q, p.W_K, p.W_V);
    }
    const bool one_bias = *row_.b_K == '\0';
    if (one_bias && row_.packing == Packing::kSeparate) {
      const Matrix b = bias(row_.b_Q);
      require_width(row_.b_Q, b, p.W_Q.cols() + p.W_K.cols() + p.W_V.cols());
      if (b.size() > 0) {
        p.b_Q = b.leftCols(p.W_Q.cols());
        p.b_K = b.middleCols(p.W_Q.cols(), p.W_K.cols());
        p.b_V = b.rightCols(p.W_V.cols());
      }
    } else if (one_bias) {
      const Matrix b = bias(row_.b_Q);
      require_width(row_.b_Q, b, 3 * p.W_Q.cols());
      if (b.size() > 0) split(b, p.b_Q, p.b_K, p.b_V);
    } else {
      for (const auto& [names, to, W] :
           {std::tuple(row_.b_Q, &p.b_Q, &p.W_Q), {row_.b_K, &p.b_K, &p.W_K}, {row_.b_V, &p.b_V, &p.W_V}}) {
        *to = bias(names);
        require_width(names, *to, W->cols());
      }
    }
    p.H = H_;
    return p;
  }

  void read_output(attention::Layer& layer) {
    if (const Found found = find_any(arrays_, row_.O); found.array != nullptr) {
      layer.W_O = read_weight(found, row_.output_axes, true, options_.pick, H_);
    } else {
      layer.missing_W_O = arrays_.missing(alternatives(row_.O).front(), "and O needs it");
    }
    std::optional<Index> none;
    if (const Found found = find_any(arrays_, row_.b_O); found.array != nullptr)
      layer.b_O = read_weight(found, "lo", false, options_.pick, none);
  }

 private:
  /// The weights by any of those names. Refuses a file that has none of them.
  Matrix needed(const char* names) {
    const Found found = find_any(arrays_, names);
    if (found.array == nullptr)
      throw std::invalid_argument(
          arrays_.missing(alternatives(names).front(),
                          fmt::format("{} {} has it{}", field("layout"), text::name_of(*options_.layout),
                                      fitting_layouts(arrays_))));
    Matrix W = read_weight(found, row_.axes, false, options_.pick, H_);
    if (row_.packing != Packing::kSeparate && W.cols() != 3 * W.rows())
      throw std::invalid_argument(fmt::format("{} is {}, as {} {} stores it no Q, K and V{}",
                                              place_of(found.file->name(), found.array->name),
                                              shown_shape(found.array->shape), field("layout"),
                                              text::name_of(*options_.layout), fitting_layouts(arrays_)));
    return W;
  }

  Matrix bias(const char* names) {
    const Found found = find_any(arrays_, names);
    return found.array == nullptr ? Matrix() : read_weight(found, row_.bias_axes, false, options_.pick, H_);
  }

  void require_width(const char* names, const Matrix& b, Index width) const {
    if (b.size() == 0 || b.cols() == width) return;
    throw std::invalid_argument(fmt::format("{} has {} entries; its projection has {} outputs",
                                            arrays_.place(alternatives(names).front()), b.cols(), width));
  }

  /// The columns of Q, K and V of what holds all three.
  void split(const Matrix& all, Matrix& Q, Matrix& K, Matrix& V) const {
    const Index width = all.cols() / 3;
    const Index H = row_.packing == Packing::kHeadThirds ? options_.H.value_or(1) : 1;
    if (width % H != 0)
      throw std::invalid_argument(
          fmt::format("{} {}: queries {} wide cannot be shared evenly by {} heads (remainder {})", field("H"),
                      H, width, H, width % H));
    const Index d = width / H;
    for (Matrix* const part : {&Q, &K, &V}) part->resize(all.rows(), width);
    for (Index h = 0; h < H; ++h) {
      Q.middleCols(h * d, d) = all.middleCols(3 * h * d, d);
      K.middleCols(h * d, d) = all.middleCols((3 * h + 1) * d, d);
      V.middleCols(h * d, d) = all.middleCols((3 * h + 2) * d, d);
    }
  }

  const Arrays& arrays_;
  const LayerOptions& options_;
  const LayoutRow& row_;
  std::optional<Index> H_;
};

/// X W + b.
Matrix projected(const Matrix& X, const Matrix& W, const Matrix& b) {
  Matrix Y(X.rows(), W.cols());
  attention::project(X, W, Y);
  if (b.size() > 0) Y.rowwise() += b.row(0);
  return Y;
}

/// Refuses an X of three axes that can be read in two ways, as long as nobody said which is meant.
void require_clear_axes(const ArrayInfo& X, const std::string& place, const LayerOptions& options) {
  const bool said = std::any_of(options.axes.begin(), options.axes.end(), [](AxisOrder order) {
    return order == AxisOrder::kBtd || order == AxisOrder::kTbd;
  });
  if (said || X.shape.size() != 3 || X.shape[0] == 1) return;
  const bool one_token = X.shape[1] == 1;
  if (options.pick.batch && !one_token) return;
  const auto counted = [](Index n, const char* what) {
    return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
  };
  const auto reading = [&](Index sequences, Index tokens) {
    return fmt::format("{} of {}", counted(sequences, "sequence"), counted(tokens, "token"));
  };
  throw std::invalid_argument(
      fmt::format("{} is {}: {} with {} btd{}, {} with {} tbd", place, shown_shape(X.shape),
                  reading(X.shape[0], X.shape[1]), field("axes"),
                  options.pick.batch ? "" : fmt::format(" (and {} picks one)", field("batch")),
                  reading(X.shape[1], X.shape[0]), field("axes")));
}

/// X, or X_K or X_V where the file has one; empty if it has not.
Matrix read_X(const Arrays& arrays, const std::string& name, const LayerOptions& options,
              attention::Layer& layer) {
  const Found found = arrays.find_beside(name);
  if (found.array == nullptr) return {};
  const std::string place =
      place_of(found.file->name(), found.array->name.empty() ? name : found.array->name);
  require_clear_axes(*found.array, place, options);
  const Stack X(found.file, *found.array, axes_of("axes", options.axes).tokens, {{}, options.pick.batch});
  layer.batches = X.batches();
  return X.matrix();
}

Matrix needed_X(const Arrays& arrays, const LayerOptions& options, attention::Layer& layer) {
  if (!options.x.empty()) {
    const Arrays other(open_arrays(options.x, file_name("x", options.x)), "", "X", options.pick);
    const std::vector<std::string> read = {"X"};
    account_for_names(other, {.read = read}, layer);
    Matrix X = read_X(other, "X", options, layer);
    if (X.size() > 0) return X;
    throw std::invalid_argument(other.missing("X", "but " + field("x") + " says it is"));
  }
  Matrix X = read_X(arrays, "X", options, layer);
  if (X.size() == 0)
    throw std::invalid_argument(arrays.missing(
        "X", fmt::format("but {} needs it; {} takes it from another file", field("layout"), field("x"))));
  return X;
}

/// What the layout reads, and what checkpoints of its kind have beside it.
void account_for_layout(const Arrays& arrays, const LayerOptions& options, attention::Layer& layer) {
  const LayoutRow& row = row_of(*options.layout);
  std::vector<std::string> read = names_read(row);
  std::vector<std::string> harmless = {"A", "O", "O_concat", "X"};
  for (std::string& name : alternatives(row.beside)) {
    const Found found = arrays.find(name);
    const bool buffer = name != "bias" || (found.array != nullptr && is_causal_buffer(found));
    if (buffer) harmless.push_back(std::move(name));
  }
  read.insert(read.end(), {"tokens", "X_K", "X_V"});
  read.insert(read.end(), modifier_names().begin(), modifier_names().end());
  read.insert(read.end(), Settings::names().begin(), Settings::names().end());
  if (options.x.empty()) read.emplace_back("X");
  account_for_names(arrays, {read, harmless}, layer);
}

/// The columns of M that belong to slice h, n of them; empty if M is.
Matrix slice(const Matrix& M, Index h, Index n) {
  return M.size() == 0 ? Matrix() : Matrix(M.middleCols(h * n, n));
}

}  // namespace

void read_projections(const Arrays& arrays, const LayerOptions& options, attention::Layer& layer) {
  const std::string layout = fmt::format("{} {}", field("layout"), text::name_of(*options.layout));
  if (!options.H && row_of(*options.layout).packing == Packing::kHeadThirds)
    throw std::invalid_argument(layout + ": " + field("H") +
                                " is needed, the number of heads that are packed");
  Reader reader(arrays, options);
  const Projections p = reader.projections();
  reader.read_output(layer);
  account_for_layout(arrays, options, layer);
  if (!options.H && !p.H)
    throw std::invalid_argument(layout + ": " + field("H") +
                                " is needed, the number of heads that are packed");
  const Index H = p.H.value_or(options.H.value_or(1));
  const auto refuse_H = [&](const std::string& why) {
    throw std::invalid_argument(fmt::format("{} {}: {}", field("H"), H, why));
  };
  const auto divide = [&](const char* what, Index width, Index by, const char* heads) {
    if (width % by != 0)
      refuse_H(fmt::format("{} {} wide cannot be shared evenly by {} {} (remainder {})", what, width, by,
                           heads, width % by));
    return width / by;
  };
  if (options.H && *options.H != H) refuse_H(fmt::format("{} has {} heads", layer.name, H));
  const Index d_k = divide("queries", p.W_Q.cols(), H, "heads");
  const Index keys_width = p.W_K.cols();
  if (keys_width % d_k != 0)
    refuse_H(fmt::format("keys {} wide are no whole number of heads of width {} (remainder {})", keys_width,
                         d_k, keys_width % d_k));
  layer.kv_heads = keys_width / d_k;
  if (H % layer.kv_heads != 0)
    refuse_H(fmt::format("{} K/V heads of width {} cannot be shared evenly", layer.kv_heads, d_k));
  const Index d_v = divide("values", p.W_V.cols(), layer.kv_heads, "K/V heads");

  layer.X = needed_X(arrays, options, layer);
  const auto require_width = [&](const std::string& name, const Matrix& X, const Matrix& W) {
    require_size((options.x.empty() || name != "X" ? layer.name : file_name("x", options.x)) + ": " + name, X,
                 X.rows(), W.rows(), "as wide as the projections are high");
  };
  require_width("X", layer.X, p.W_Q);
  Matrix X_K = read_X(arrays, "X_K", options, layer);
  Matrix X_V = read_X(arrays, "X_V", options, layer);
  const bool crossed = X_K.size() > 0 || X_V.size() > 0;
  if (X_K.size() == 0) X_K = crossed ? X_V : layer.X;
  if (X_V.size() == 0) X_V = X_K;
  require_width(crossed ? "X_K" : "X", X_K, p.W_K);
  require_width(crossed ? "X_V" : "X", X_V, p.W_V);
  require_same(X_V.rows(), X_K.rows(), layer.name + ": the number of values", "the number of keys");
  layer.T_q = layer.X.rows();
  layer.T_k = X_K.rows();
  layer.W_Q = p.W_Q;
  layer.b_Q = p.b_Q;
  layer.biases = p.b_Q.size() + p.b_K.size() + p.b_V.size();
  const Matrix Q = projected(layer.X, p.W_Q, p.b_Q);
  const Matrix K = projected(X_K, p.W_K, p.b_K);
  const Matrix V = projected(X_V, p.W_V, p.b_V);
  std::vector<attention::SharedMatrix> keys;
  std::vector<attention::SharedMatrix> values;
  for (Index g = 0; g < layer.kv_heads; ++g) {
    keys.push_back(std::make_shared<const Matrix>(slice(K, g, d_k)));
    values.push_back(std::make_shared<const Matrix>(slice(V, g, d_v)));
  }
  for (Index h = 0; h < H; ++h) {
    const Index g = h * layer.kv_heads / H;
    attention::Head head;
    head.Q = std::make_shared<const Matrix>(slice(Q, h, d_k));
    head.K = keys[static_cast<std::size_t>(g)];
    head.V = values[static_cast<std::size_t>(g)];
    if (!crossed) head.W_V = slice(p.W_V, g, d_v);  // A_h X W_V is the term of X alone
    head.b_Q = slice(p.b_Q, h, d_k);
    head.b_K = slice(p.b_K, g, d_k);
    head.b_V = slice(p.b_V, g, d_v);
    layer.heads.push_back(std::move(head));
  }
}

}  // namespace mha::input
