#pragma once

#include <optional>
#include <string>
#include <vector>

#include "input/layers/read_layer.h"
#include "tests/support/array_bytes.h"
#include "tests/support/temporary_directory.h"

/// A small seeded layer, and the files that hold it in every layout.
namespace mha::test {

/// X · W + b: H query heads of width d_k, kv_heads K/V heads, d_v = d_k.
struct SmallLayer {
  Index H;
  Index kv_heads;
  Index d_k;
  Matrix X;              ///< T × d_model
  Matrix W_Q, W_K, W_V;  ///< d_model × H·d_k, d_model × kv_heads·d_k twice
  Matrix b_Q, b_K, b_V;  ///< 1 × as wide
  Matrix W_O;            ///< H·d_k × d_model
  Matrix b_O;            ///< 1 × d_model

  [[nodiscard]] Matrix Q(Index h) const;
  [[nodiscard]] Matrix K(Index h) const;  ///< of query head h
  [[nodiscard]] Matrix V(Index h) const;  ///< of query head h
};

/// d_model = H · d_k, entries standard normal, as float32 knows them so that no dtype but the 16-bit ones
/// rounds.
SmallLayer small_layer(Index T, Index H, Index d_k, Index kv_heads, unsigned seed);

/// Slow and obvious: each head's weights, Concat, and O = Concat · W_O + b_O.
std::vector<Matrix> weights_of(const SmallLayer& layer);
Matrix concat_of(const SmallLayer& layer);
Matrix output_of(const SmallLayer& layer);

/// X and the packed projections as one layout has them. Torch and GPT-2 know no K/V heads of their own.
std::vector<NamedArray> lesson_arrays(const SmallLayer& layer);
std::vector<NamedArray> torch_arrays(const SmallLayer& layer);
std::vector<NamedArray> gpt2_arrays(const SmallLayer& layer, const std::string& prefix = "");
/// Q, K, V `[H, T, d_k]`, and W_O and b_O.
std::vector<NamedArray> head_arrays(const SmallLayer& layer);

/// Matrices of one size as an array `[n, rows, cols]`.
NamedArray stacked(const std::string& name, const std::vector<Matrix>& matrices);
NamedArray flat(const std::string& name, const Matrix& row);

/// What a command line with that --input, and --layout and --H if there is a layout, reads.
input::LayerOptions options_for(const TemporaryFile& file, std::optional<input::Layout> layout = {},
                                Index H = 0);

}  // namespace mha::test
