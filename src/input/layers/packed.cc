#include "input/layers/packed.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "attention/multi_head.h"
#include "input/formats/open_arrays.h"
#include "input/formats/place.h"
#include "input/layers/modifiers.h"
#include "input/layers/names.h"
#include "text/field.h"

namespace mha::input {
namespace {

using text::field;

/// The projections as x · W + b, whatever the layout.
struct Projections {
  Matrix W_Q, W_K, W_V;
  Matrix b_Q, b_K, b_V;
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

void require_width(const std::string& place, const Matrix& b, Index width) {
  if (b.size() == 0 || b.cols() == width) return;
  throw std::invalid_argument(
      fmt::format("{} has {} entries; its projection has {} outputs", place, b.cols(), width));
}

void read_output(const Arrays& arrays, const char* weight, const char* bias, attention::Layer& layer) {
  layer.W_O = arrays.matrix(weight);
  layer.b_O = arrays.row(bias);
  if (layer.W_O.size() == 0) layer.missing_W_O = arrays.missing(weight, "and O needs it");
}

Projections lesson_projections(const Arrays& arrays, attention::Layer& layer) {
  const std::string why = field("layout") + " lesson has W_Q, W_K and W_V";
  Projections p{arrays.needed_matrix("W_Q", why),
                arrays.needed_matrix("W_K", why),
                arrays.needed_matrix("W_V", why),
                arrays.row("b_Q"),
                arrays.row("b_K"),
                arrays.row("b_V")};
  const Index d_model = p.W_Q.rows();
  require_size(arrays.place("W_K"), p.W_K, d_model, p.W_K.cols(), "as many rows as W_Q");
  require_size(arrays.place("W_V"), p.W_V, d_model, p.W_V.cols(), "as many rows as W_Q");
  require_width(arrays.place("b_Q"), p.b_Q, p.W_Q.cols());
  require_width(arrays.place("b_K"), p.b_K, p.W_K.cols());
  require_width(arrays.place("b_V"), p.b_V, p.W_V.cols());
  read_output(arrays, "W_O", "b_O", layer);
  return p;
}

/// The three projections side by side, [d, 3·d].
Projections thirds(const Matrix& W, const Matrix& b) {
  const Index d = W.rows();
  Projections p{W.leftCols(d), W.middleCols(d, d), W.rightCols(d), {}, {}, {}};
  if (b.size() > 0) {
    p.b_Q = b.leftCols(d);
    p.b_K = b.middleCols(d, d);
    p.b_V = b.rightCols(d);
  }
  return p;
}

Projections gpt2_projections(const Arrays& arrays, attention::Layer& layer) {
  const Matrix W = arrays.needed_matrix("c_attn.weight", field("layout") + " gpt2 has it");
  const Matrix b = arrays.row("c_attn.bias");
  require_size(arrays.place("c_attn.weight"), W, W.rows(), 3 * W.rows(), "[d, 3d]");
  require_width(arrays.place("c_attn.bias"), b, W.cols());
  read_output(arrays, "c_proj.weight", "c_proj.bias", layer);
  return thirds(W, b);
}

Projections torch_projections(const Arrays& arrays, attention::Layer& layer) {
  const Matrix W = arrays.needed_matrix("in_proj_weight", field("layout") + " torch has it");
  const Matrix b = arrays.row("in_proj_bias");
  require_size(arrays.place("in_proj_weight"), W, 3 * W.cols(), W.cols(), "[3d, d]");
  require_width(arrays.place("in_proj_bias"), b, W.rows());
  read_output(arrays, "out_proj.weight", "out_proj.bias", layer);
  layer.W_O.transposeInPlace();
  return thirds(W.transpose(), b);
}

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

Matrix read_X(const Arrays& arrays, const LayerOptions& options, attention::Layer& layer) {
  const auto X_of = [&](const Arrays& from) {
    const ArrayInfo* array = from.find("X").array;
    if (array == nullptr)
      throw std::invalid_argument(
          fmt::format("{}: is not there, but {} needs it; {} takes it from another file{}", from.place("X"),
                      field("layout"), field("x"), from.holdings()));
    require_clear_axes(*array, from.place("X"), options);
    const Stack X = *from.stack("X", axes_of("axes", options.axes).tokens);
    layer.batches = X.batches();
    return X.matrix();
  };
  if (options.x.empty())
    return X_of(arrays.has("X") ? arrays : Arrays(arrays.shared_file(), "", "X", options.pick));
  const Arrays other(open_arrays(options.x, file_name("x", options.x)), "", "X", options.pick);
  const std::vector<std::string> read = {"X"};
  account_for_names(other, {.read = read, .scores = true}, layer);
  return X_of(other);
}

/// What the layout reads, and what checkpoints of its kind have beside it.
void account_for_layout(const Arrays& arrays, const LayerOptions& options, attention::Layer& layer) {
  std::vector<std::string> read;
  std::vector<std::string> harmless = {"A", "O", "O_concat", "X"};
  switch (*options.layout) {
    case Layout::kLesson:
      read = {"W_Q", "W_K", "W_V", "W_O", "b_Q", "b_K", "b_V", "b_O"};
      break;
    case Layout::kTorch:
      read = {"in_proj_weight", "in_proj_bias", "out_proj.weight", "out_proj.bias"};
      break;
    case Layout::kGpt2:
      read = {"c_attn.weight", "c_attn.bias", "c_proj.weight", "c_proj.bias"};
      harmless.emplace_back("masked_bias");
      // The causal mask that GPT-2's checkpoints carry, [1, 1, n, n].
      if (const ArrayInfo* const bias = arrays.find("bias").array;
          bias != nullptr && bias->shape.size() == 4 && bias->shape[1] == 1 &&
          bias->shape[2] == bias->shape[3])
        harmless.emplace_back("bias");
      break;
  }
  read.emplace_back("tokens");
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

void read_packed(const Arrays& arrays, const LayerOptions& options, attention::Layer& layer) {
  if (!options.H)
    throw std::invalid_argument(fmt::format("{} {}: {} is needed, the number of heads that are packed",
                                            field("layout"), text::name_of(*options.layout), field("H")));
  const Projections p = [&] {
    switch (*options.layout) {
      case Layout::kTorch:
        return torch_projections(arrays, layer);
      case Layout::kGpt2:
        return gpt2_projections(arrays, layer);
      case Layout::kLesson:
        break;
    }
    return lesson_projections(arrays, layer);
  }();
  account_for_layout(arrays, options, layer);
  const Index H = *options.H;
  const auto refuse = [&](const std::string& why) {
    throw std::invalid_argument(fmt::format("{} {}: {}", field("H"), H, why));
  };
  const auto divide = [&](const char* what, Index width, Index by, const char* heads) {
    if (width % by != 0)
      refuse(fmt::format("{} {} wide cannot be shared evenly by {} {} (remainder {})", what, width, by, heads,
                         width % by));
    return width / by;
  };
  const Index d_k = divide("queries", p.W_Q.cols(), H, "heads");
  const Index keys_width = p.W_K.cols();
  if (keys_width % d_k != 0)
    refuse(fmt::format("keys {} wide are no whole number of heads of width {} (remainder {})", keys_width,
                       d_k, keys_width % d_k));
  layer.kv_heads = keys_width / d_k;
  if (H % layer.kv_heads != 0)
    refuse(fmt::format("{} K/V heads of width {} cannot be shared evenly", layer.kv_heads, d_k));
  const Index d_v = divide("values", p.W_V.cols(), layer.kv_heads, "K/V heads");

  layer.X = read_X(arrays, options, layer);
  require_size((options.x.empty() ? layer.name : file_name("x", options.x)) + ": X", layer.X, layer.X.rows(),
               p.W_Q.rows(), "as wide as the projections are high");
  layer.T_q = layer.T_k = layer.X.rows();
  layer.W_Q = p.W_Q;
  layer.b_Q = p.b_Q;
  layer.biases = p.b_Q.size() + p.b_K.size() + p.b_V.size();
  const Matrix Q = projected(layer.X, p.W_Q, p.b_Q);
  const Matrix K = projected(layer.X, p.W_K, p.b_K);
  const Matrix V = projected(layer.X, p.W_V, p.b_V);
  for (Index h = 0; h < H; ++h) {
    const Index g = h * layer.kv_heads / H;
    attention::Head head;
    head.Q = std::make_shared<const Matrix>(slice(Q, h, d_k));
    head.K = std::make_shared<const Matrix>(slice(K, g, d_k));
    head.V = std::make_shared<const Matrix>(slice(V, g, d_v));
    head.W_V = slice(p.W_V, g, d_v);
    head.b_Q = slice(p.b_Q, h, d_k);
    head.b_K = slice(p.b_K, g, d_k);
    head.b_V = slice(p.b_V, g, d_v);
    layer.heads.push_back(std::move(head));
  }
}

}  // namespace mha::input
