#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "attention/mask.h"
#include "attention/matrix.h"
#include "input/layers/stack.h"

/// A person's own attention layer: from the arrays of a file to the letters of the equations, every shape
/// checked. Everything throws std::invalid_argument, naming the option, or the file and the array.
namespace mha::input {

/// What a command line says about it.
struct ModelOptions {
  std::string file;                 ///< --input; empty for the lesson's own heads
  std::string file_name;            ///< what messages call it: --input 'm.npz'
  std::string as;                   ///< --as: what the one array of a .npy is, or which of A and Q is meant
  std::string layout;               ///< --layout: lesson, torch, gpt2, or empty
  std::string prefix;               ///< --prefix: what the names of the arrays begin with
  std::string x;                    ///< --x: the file that X is in
  std::string x_name;               ///< what messages call it
  std::optional<Index> T;           ///< --T: how many tokens the file has to hold
  std::optional<Index> H;           ///< --H: heads that packed projections hold
  Pick pick;                        ///< --layer, --batch
  std::string mask = "causal";      ///< --mask: causal, none
  std::string align;                ///< --align: top-left, bottom-right, or empty
  std::optional<double> scale;      ///< --scale: instead of 1/√d_k
  std::vector<std::string> tokens;  ///< --tokens
};

inline const std::vector<std::string> kLayouts = {"lesson", "torch", "gpt2"};
inline const std::vector<std::string> kMasks = {"causal", "none"};
inline const std::vector<std::string> kAlignments = {"top-left", "bottom-right"};
inline const std::vector<std::string> kArrayNames = {"A", "Q", "K", "V", "X", "W_O", "O", "O_concat"};

/// One head. Its weights come from Q and K, or are as the file has them.
struct ModelHead {
  std::string name;                 ///< empty where the file gives none
  std::shared_ptr<const Matrix> Q;  ///< T_q × d_k; null where the file has A
  std::shared_ptr<const Matrix>
      Q_scaled;  ///< S √d_k · Q, so that Q_scaled Kᵀ/√d_k = S Q Kᵀ; Q without --scale
  std::shared_ptr<const Matrix> K;  ///< T_k × d_k
  std::shared_ptr<const Matrix> V;  ///< T_k × d_v; null where the file has none
  RowSource A;                      ///< T_q × T_k; empty where it has Q and K
  Matrix W_V;                       ///< d_model × d_v, where V = X W_V + b_V; otherwise empty
  Matrix b_V;                       ///< 1 × d_v, or empty
};

/// A weight that a causal mask would have excluded.
struct AboveDiagonal {
  std::size_t head;  ///< from 0
  Index row;
  Index column;
  double weight;
};

struct Model {
  std::string name;  ///< what messages call the file
  Index T_q;
  Index T_k;
  attention::Mask mask;
  Index shift = 0;  ///< query t stands at position t + shift among the keys
  std::vector<ModelHead> heads;
  Index kv_heads;                   ///< K/V heads; query head h uses number floor(h · kv_heads / H)
  Matrix X;                         ///< T × d_model, of packed projections; otherwise empty
  Matrix W_Q;                       ///< d_model × H·d_k, packed; otherwise empty
  Matrix b_Q;                       ///< 1 × H·d_k, or empty
  Matrix W_O;                       ///< H·d_v × d_model; empty where the file has none
  Matrix b_O;                       ///< 1 × d_model, or empty
  Index biases = 0;                 ///< how many numbers b_Q, b_K, b_V and b_O hold
  std::vector<std::string> tokens;  ///< T_k labels, or none
  std::optional<AboveDiagonal> above_diagonal;  ///< the largest, where A has any beneath a causal mask
  std::shared_ptr<const ArrayFile> file;        ///< what A is read from

  /// Queries that may see no key, and have rows of zeros.
  [[nodiscard]] Index blind_queries() const;
};

/// Reads the layer: A, or Q and K, or X and packed projections, whichever the file holds, and V and W_O where
/// they are. A's rows have to be distributions: no weight below 0, a sum off 1 by at most kRowSumTolerance.
Model read_model(const ModelOptions& options);

inline constexpr double kRowSumTolerance = 1e-4;

}  // namespace mha::input
