#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "attention/layer.h"
#include "input/layers/stack.h"
#include "text/choice.h"

/// A person's own attention layer: from the arrays of a file to the letters of the equations, every shape
/// checked. Everything throws std::invalid_argument, naming the field (text/field.h), or the file and the
/// array.
namespace mha::input {

/// How packed projections are stored.
enum class Layout { kLesson, kTorch, kGpt2 };
inline constexpr std::array kLayoutNames = {"lesson", "torch", "gpt2"};
constexpr text::Names names_of(Layout) { return kLayoutNames; }

/// What a query may not see: later keys, or nothing.
enum class Masking { kCausal, kNone };
inline constexpr std::array kMaskingNames = {"causal", "none"};
constexpr text::Names names_of(Masking) { return kMaskingNames; }

/// The corner that a causal mask is lined up with, where T_q and T_k differ.
enum class Align { kTopLeft, kBottomRight };
inline constexpr std::array kAlignNames = {"top-left", "bottom-right"};
constexpr text::Names names_of(Align) { return kAlignNames; }

/// What an array can be.
enum class Role { kA, kQ, kK, kV, kX, kW_O, kO, kO_concat };
inline constexpr std::array kRoleNames = {"A", "Q", "K", "V", "X", "W_O", "O", "O_concat"};
constexpr text::Names names_of(Role) { return kRoleNames; }

/// Which layer, and how to read it.
struct LayerOptions {
  std::string path;              ///< the file
  std::optional<Role> as;        ///< what the one array of a .npy is, or which of A and Q is meant
  std::optional<Layout> layout;  ///< of packed projections
  std::string prefix;            ///< what the names of the arrays begin with
  std::string x;                 ///< the file that X is in; empty for the same one
  std::optional<Index> H;        ///< heads that packed projections hold
  Pick pick;                     ///< layer and batch
  Masking mask = Masking::kCausal;
  std::optional<Align> align;
  std::optional<double> scale;      ///< instead of 1/√d_k
  std::vector<std::string> tokens;  ///< labels, instead of the file's
};

/// Reads the layer: A, or Q and K, or X and packed projections, whichever the file holds, and V and W_O where
/// they are. A's rows have to be distributions: no weight below 0, a sum off 1 by at most kRowSumTolerance.
attention::Layer read_layer(const LayerOptions& options);

inline constexpr double kRowSumTolerance = 1e-4;

}  // namespace mha::input
