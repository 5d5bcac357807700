#include "tests/support/models.h"

#include <filesystem>
#include <fstream>
#include <random>
#include <stdexcept>

#include "tests/support/random.h"
#include "tests/support/reference.h"

namespace mha::test {
namespace {

Matrix narrow(const Matrix& M) { return M.cast<float>().cast<double>(); }

Matrix slice(const Matrix& M, Index h, Index width) { return M.middleCols(h * width, width); }

Matrix projected(const Matrix& X, const Matrix& W, const Matrix& b) { return (X * W).rowwise() + b.row(0); }

Matrix beside(const std::vector<Matrix>& parts) {
  Index width = 0;
  for (const Matrix& part : parts) width += part.cols();
  Matrix all(parts.front().rows(), width);
  Index column = 0;
  for (const Matrix& part : parts) {
    all.middleCols(column, part.cols()) = part;
    column += part.cols();
  }
  return all;
}

}  // namespace

Matrix SmallLayer::Q(Index h) const { return slice(projected(X, W_Q, b_Q), h, d_k); }
Matrix SmallLayer::K(Index h) const { return slice(projected(X, W_K, b_K), h / (H / kv_heads), d_k); }
Matrix SmallLayer::V(Index h) const { return slice(projected(X, W_V, b_V), h / (H / kv_heads), d_k); }

SmallLayer small_layer(Index T, Index H, Index d_k, Index kv_heads, unsigned seed) {
  std::mt19937 engine(seed);
  const Index d_model = H * d_k;
  const auto random = [&](Index rows, Index cols) { return narrow(random_matrix(rows, cols, engine)); };
  SmallLayer layer{H, kv_heads, d_k, random(T, d_model), {}, {}, {}, {}, {}, {}, {}, {}};
  layer.W_Q = random(d_model, H * d_k);
  layer.W_K = random(d_model, kv_heads * d_k);
  layer.W_V = random(d_model, kv_heads * d_k);
  layer.b_Q = random(1, H * d_k);
  layer.b_K = random(1, kv_heads * d_k);
  layer.b_V = random(1, kv_heads * d_k);
  layer.W_O = random(H * d_k, d_model);
  layer.b_O = random(1, d_model);
  return layer;
}

std::vector<Matrix> weights_of(const SmallLayer& layer) {
  std::vector<Matrix> A;
  for (Index h = 0; h < layer.H; ++h) A.push_back(reference_weights(layer.Q(h), layer.K(h)));
  return A;
}

Matrix concat_of(const SmallLayer& layer) {
  std::vector<Matrix> outputs;
  for (Index h = 0; h < layer.H; ++h) outputs.push_back(reference_output(layer.Q(h), layer.K(h), layer.V(h)));
  return beside(outputs);
}

Matrix output_of(const SmallLayer& layer) { return projected(concat_of(layer), layer.W_O, layer.b_O); }

std::vector<NamedArray> lesson_arrays(const SmallLayer& layer) {
  return {named("X", layer.X),     named("W_Q", layer.W_Q), named("W_K", layer.W_K),
          named("W_V", layer.W_V), named("W_O", layer.W_O), flat("b_Q", layer.b_Q),
          flat("b_K", layer.b_K),  flat("b_V", layer.b_V),  flat("b_O", layer.b_O)};
}

std::vector<NamedArray> torch_arrays(const SmallLayer& layer) {
  return {named("X", layer.X), named("in_proj_weight", beside({layer.W_Q, layer.W_K, layer.W_V}).transpose()),
          flat("in_proj_bias", beside({layer.b_Q, layer.b_K, layer.b_V})),
          named("out_proj.weight", layer.W_O.transpose()), flat("out_proj.bias", layer.b_O)};
}

std::vector<NamedArray> gpt2_arrays(const SmallLayer& layer, const std::string& prefix) {
  return {named("X", layer.X), named(prefix + "c_attn.weight", beside({layer.W_Q, layer.W_K, layer.W_V})),
          flat(prefix + "c_attn.bias", beside({layer.b_Q, layer.b_K, layer.b_V})),
          named(prefix + "c_proj.weight", layer.W_O), flat(prefix + "c_proj.bias", layer.b_O)};
}

std::vector<NamedArray> head_arrays(const SmallLayer& layer) {
  std::vector<Matrix> Q;
  std::vector<Matrix> K;
  std::vector<Matrix> V;
  for (Index h = 0; h < layer.H; ++h) Q.push_back(layer.Q(h));
  for (Index h = 0; h < layer.H; h += layer.H / layer.kv_heads) {
    K.push_back(layer.K(h));
    V.push_back(layer.V(h));
  }
  return {stacked("Q", Q), stacked("K", K), stacked("V", V), named("W_O", layer.W_O), flat("b_O", layer.b_O)};
}

NamedArray stacked(const std::string& name, const std::vector<Matrix>& matrices) {
  NamedArray array{
      name, {static_cast<Index>(matrices.size()), matrices.front().rows(), matrices.front().cols()}, {}};
  for (const Matrix& M : matrices) array.values.insert(array.values.end(), M.data(), M.data() + M.size());
  return array;
}

NamedArray flat(const std::string& name, const Matrix& row) {
  return {name, {row.size()}, std::vector<double>(row.data(), row.data() + row.size())};
}

input::LayerOptions options_for(const TemporaryFile& file, std::optional<input::Layout> layout, Index H) {
  input::LayerOptions options;
  options.path = file.path();
  options.layout = layout;
  if (H > 0) options.H = H;
  return options;
}

}  // namespace mha::test
