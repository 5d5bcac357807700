#pragma once

#include <array>
#include <optional>

#include "attention/matrix.h"
#include "text/choice.h"

/// What models do to queries and keys before they meet.
namespace mha::attention {

/// Which two numbers of a query or key are turned together: c and c + dims/2 (GPT-NeoX, Llama), or 2c and 2c
/// + 1 (RoFormer, GPT-J).
enum class RotaryPairs { kHalf, kInterleaved };
inline constexpr std::array kRotaryPairsNames = {"half", "interleaved"};
constexpr text::Names names_of(RotaryPairs) { return kRotaryPairsNames; }

/// Rotary position embedding (Su et al. 2021, "RoFormer", arXiv 2104.09864, section 3.2): the pair (x, y)
/// number c of a row at position p is turned by the angle p · base^(−2c/dims),
///
///   x' = x cos − y sin,   y' = x sin + y cos,   c = 0 … dims/2 − 1,
///
/// so that q·k depends on the distance of their positions alone. Numbers from `dims` on stay as they are.
struct Rotary {
  double base;
  Index dims;  ///< even, at most the width
  RotaryPairs pairs = RotaryPairs::kHalf;
  /// Llama 3's scaling of the angles for longer texts (meta-llama/llama-models, `apply_scaling`), or none: a
  /// wave of 2π/f tokens that is longer than length/low gets f/factor for f, one shorter than length/high
  /// keeps it, and those between are in between: f · ((1 − s)/factor + s), s = (length · f/2π − low)/(high −
  /// low).
  struct Scaling {
    double factor;
    double low;
    double high;
    double length;
  };
  std::optional<Scaling> scaling = {};
};

/// M (T × d) with row r turned as position first + r; turned back where `back` says so.
Matrix rotated(const Matrix& M, Index first, const Rotary& rotary, bool back = false);

/// Each row divided by its root mean square, √(Σ x²/d + ε), and multiplied entry by entry by `weight` (1 × d)
/// (Zhang & Sennrich 2019, "Root Mean Square Layer Normalization", arXiv 1910.07467).
Matrix rms_normed(const Matrix& M, const Matrix& weight, double epsilon);

}  // namespace mha::attention
