#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "attention/mask.h"
#include "attention/matrix.h"
#include "attention/precision.h"
#include "attention/rotary.h"

/// A layer of multi-head attention as data: the lesson's and a file's are the same type, and every command
/// works on it.
namespace mha::attention {

/// A matrix that several heads may share.
using SharedMatrix = std::shared_ptr<const Matrix>;

/// One head. Its weights come from Q and K, or are given.
struct Head {
  std::string name = {};  ///< empty where it has none
  SharedMatrix Q = {};    ///< T_q × d_k; null where the weights are given
  SharedMatrix K = {};    ///< T_k × d_k
  SharedMatrix V = {};    ///< T_k × d_v; null where it is not known
  SharedMatrix M = {};    ///< T_q × T_k: added to the scores, −∞ where a key is not seen; or null
  std::optional<double> sink = {};  ///< one logit more in the sum of the softmax, without a value
  RowSource A = {};                 ///< T_q × T_k: the weights, where they are given
  Matrix W_V = {};                  ///< d_model × d_v, where V = X W_V + b_V; otherwise empty
  Matrix b_Q = {};                  ///< 1 × d_k, where Q = X W_Q + b_Q; otherwise empty
  Matrix b_K = {};                  ///< 1 × d_k, or empty
  Matrix b_V = {};                  ///< 1 × d_v, or empty
  std::string filter = {};  ///< the textbook filter that it is set to come near to; empty where nobody says
};

/// A head that holds these matrices itself.
Head head_of(Matrix Q, Matrix K);
Head head_of(Matrix Q, Matrix K, Matrix V);

/// A weight that a causal mask would have excluded. From 0.
struct AboveDiagonal {
  std::size_t head;
  Index row;
  Index column;
  double weight;
};

/// The heads of one layer, and what mixes them.
struct Layer {
  std::string name;         ///< what messages call it: `--input 'm.npz'`, `--gain 3`
  std::string advice = {};  ///< what helps where it overflows: `give a gain nearer to 0`
  Index T_q = 0;
  Index T_k = 0;
  Rules rules = {};
  Index shift = 0;                       ///< query t stands at position t + shift among the keys
  bool placed = true;                    ///< false where nobody said so: T_q ≠ T_k and no causal mask
  std::vector<Head> heads;               ///< at least one
  Index kv_heads = 0;                    ///< query head h uses K/V head floor(h · kv_heads / H)
  Matrix X = {};                         ///< T × d_model, of packed projections; otherwise empty
  Matrix W_Q = {};                       ///< d_model × H·d_k, packed; otherwise empty
  Matrix b_Q = {};                       ///< 1 × H·d_k, or empty
  Matrix W_O = {};                       ///< H·d_v × d_model; empty where it is not known
  Matrix b_O = {};                       ///< 1 × d_model, or empty
  Index biases = 0;                      ///< how many numbers b_Q, b_K, b_V and b_O hold
  std::string missing_W_O = {};          ///< what to say where a layer should have W_O and its file has none
  Index batches = 1;                     ///< sequences in its file, of which this is one
  std::vector<std::string> tokens = {};  ///< T_k labels, or none
  Precision precision = Precision::kFloat64;  ///< of the coarsest array that it was made of
  std::optional<Rotary> rotary = {};          ///< how Q and K were turned
  std::vector<std::pair<std::string, std::string>> said =
      {};                                ///< how it attends, as its file or somebody said it
  std::vector<std::string> unused = {};  ///< arrays of its file that nothing reads
  std::vector<std::string> notes = {};   ///< what a person has to know of how it was read
  std::optional<AboveDiagonal> above_diagonal =
      {};  ///< the largest, where a given A has any under a causal mask

  [[nodiscard]] Index H() const { return static_cast<Index>(heads.size()); }
  /// Whether the values of every head are known.
  [[nodiscard]] bool has_values() const;
  /// How many keys query t of head h sees; a query that sees none has a row of zeros.
  [[nodiscard]] Index visible(std::size_t h, Index t) const;
  [[nodiscard]] bool sees(std::size_t h, Index t, Index i) const;
  /// Whether query t is padding, which no mean counts.
  [[nodiscard]] bool is_padding(Index t) const;
};

/// Throws std::invalid_argument for a layer of which `what` overflows a double, by its name and with its
/// advice.
[[noreturn]] void refuse_overflow(const Layer& layer, const std::string& what);

/// The same where a score of head h (from 0) could overflow: such a head has no weights.
void require_finite_scores(const Layer& layer, std::size_t h);

/// Rows first … first + n − 1 of a head's weights (n × T_k), from Q and K or as they are given.
void weights(const Layer& layer, const Head& head, Index first, Block A);

/// Rows of A_h V_h (n × d_v).
void head_output(const Layer& layer, const Head& head, Index first, Block O);

/// Rows of Concat (n × H·d_v), head 1's columns first. Every head has values of one width.
void concat(const Layer& layer, Index first, Block O_concat);

}  // namespace mha::attention
