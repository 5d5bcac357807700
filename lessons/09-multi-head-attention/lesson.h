#pragma once

#include <array>
#include <string>
#include <vector>

#include "attention/layer.h"
#include "text/choice.h"

/// The lesson's hand-set matrices and the numbers that it states.
namespace mha::lesson09 {

inline constexpr int kHeads = 4;
inline constexpr Index kTokens = 6;   ///< T
inline constexpr double kGain = 3.0;  ///< magnitude of the keys, here and in the pipeline

/// Width of every hand-set head.
inline constexpr Index kHeadWidth = 2;

/// Head `number` (1 … 4) over T ≥ 1 tokens, Q and K: T × 2; `gain` is the magnitude of its keys (the lesson's
/// 3):
///   1  first token     K is zero but for K(1, 1) = gain, and every query asks for column 1;
///   2  previous token  K_i = gain · [cos 2πi/T, sin 2πi/T] and Q_t = K_{t−1}: look one step back;
///   3  self            the same keys, Q_t = K_t: look at oneself;
///   4  uniform         Q and K are zero: look at everything so far alike.
attention::Head hand_set_head(int number, Index T, double gain);

/// A causal layer over T tokens that has no heads yet. The gain is what messages about it name.
attention::Layer empty_layer(Index T, double gain);

/// The four heads over T tokens.
attention::Layer four_heads(Index T, double gain);

/// The position code of heads 2 and 3: row i (1-based) is gain · [cos 2π(i − lag)/T, sin 2π(i − lag)/T].
Matrix position_code(Index T, double gain, Index lag);

inline constexpr Index kPipelineTokens = 4;  ///< T
inline constexpr Index kModelWidth = 4;      ///< d_model
inline constexpr int kPipelineHeads = 2;     ///< H, each with d_k = d_v = d_model/H = 2

/// The output projections, the lesson's own first. W_O is 4 × 4; rows read the columns h1.1, h1.2, h2.1, h2.2
/// of Concat, columns write d1 … d4.
enum class Projection {
  kMixing,    ///< d1 = h1.1 + h2.1 and d3 = −h2.1, so that one channel hears both heads
  kIdentity,  ///< O is Concat
  kSwap,      ///< the two heads change places
};
inline constexpr std::array kProjections = {Projection::kMixing, Projection::kIdentity, Projection::kSwap};
inline constexpr std::array kProjectionNames = {"mixing", "identity", "swap"};
constexpr text::Names names_of(Projection) { return kProjectionNames; }

Matrix output_projection(Projection projection);

/// The two-head pipeline over T ≥ 1 tokens, with its packed W_Q and the W_O chosen. Head 1 is the self head
/// on X's features 3 and 4, head 2 the uniform head on features 1 and 2; X is T × 4 with ones on its
/// diagonal. W_Q = [W_Q^1, W_Q^2] is 4 × 4 at T = 4, where the tokens are one-hot (X = I) and W_Q^h = X W_Q^h
/// = Q_h; at other T it is left empty. Throws std::invalid_argument, naming the gain, when a score would
/// overflow.
attention::Layer two_head_pipeline(Index T, double gain, Projection projection = Projection::kMixing);

/// One of the numbers that the lesson promises, beside what is computed.
struct Check {
  std::string what;
  std::vector<double> expected;
  int places;  ///< decimals to which the lesson states it
  std::vector<double> computed;

  /// Whether the computed numbers are as many as the expected ones and agree with them: within half a unit
  /// of the last decimal that the lesson states, or within 1e-12 if it states whole numbers (a count, a
  /// sum, a deviation of 0).
  [[nodiscard]] bool ok() const;
};

/// The lesson's table of expected numbers, each computed anew.
std::vector<Check> expected_numbers();

}  // namespace mha::lesson09
