#pragma once

#include "attention/layer.h"

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

}  // namespace mha::lesson09
