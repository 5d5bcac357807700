#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "attention/layer.h"
#include "input/layers/layouts.h"
#include "input/layers/stack.h"
#include "text/choice.h"

/// A person's own attention layer: from the arrays of a file to the letters of the equations, every shape
/// checked. Everything throws std::invalid_argument, naming the field (text/field.h), or the file and the
/// array.
namespace mha::input {

/// What a query may not see: later keys, or nothing.
enum class Masking { kCausal, kNone };
inline constexpr std::array kMaskingNames = {"causal", "none"};
constexpr text::Names names_of(Masking) { return kMaskingNames; }

/// The corner that a causal mask is lined up with, where T_q and T_k differ.
enum class Align { kTopLeft, kBottomRight };
inline constexpr std::array kAlignNames = {"top-left", "bottom-right"};
constexpr text::Names names_of(Align) { return kAlignNames; }

/// What an array can be.
enum class Role { kA, kQ, kK, kV, kX, kW_O };
inline constexpr std::array kRoleNames = {"A", "Q", "K", "V", "X", "W_O"};
constexpr text::Names names_of(Role) { return kRoleNames; }

/// How the axes lie: of Q, K and V (batch, head, token, d) and of X (batch, token, d).
enum class AxisOrder { kBhtd, kBthd, kBtd, kTbd };
inline constexpr std::array kAxisOrderNames = {"bhtd", "bthd", "btd", "tbd"};
constexpr text::Names names_of(AxisOrder) { return kAxisOrderNames; }

/// Which layer, and how to read it.
struct LayerOptions {
  std::string path;              ///< the file
  std::optional<Role> as;        ///< what the only array of a file is, or which of A and Q is meant
  std::optional<Layout> layout;  ///< of packed projections
  std::string prefix;            ///< what the names of the arrays begin with
  std::string x;                 ///< the file that X is in; empty for the same one
  std::optional<Index> H;        ///< heads that packed projections hold
  Pick pick;                     ///< layer and batch
  std::vector<AxisOrder> axes;   ///< other than bhtd and btd
  std::optional<Masking> mask;   ///< causal unless given
  std::optional<Align> align;
  std::optional<double> scale;      ///< instead of 1/√d_k
  std::vector<std::string> tokens;  ///< labels, instead of the file's
  std::vector<std::string> set;     ///< NAME=VALUE: how the layer attends (settings.h)
  std::vector<std::string> map;     ///< NAME=ARRAY or NAME=FILE:ARRAY: which array is which
};

/// Reads the layer: A, or Q and K, or X and packed projections, whichever the file holds, and V and W_O where
/// they are. What the file holds beside them and would change the result is refused by name; what nothing
/// reads is listed in the layer. A's rows have to be distributions: no weight below 0, a sum as near to 1 as
/// the format of its numbers allows.
attention::Layer read_layer(const LayerOptions& options);

/// The same of arrays that are there; `options.path` is not looked at.
attention::Layer read_layer(std::shared_ptr<const ArrayFile> file, const LayerOptions& options);

/// The axes of Q, K and V, and those of X. Throws for two orders of the same arrays.
struct AxesOf {
  Axes heads = kHeadAxes;
  Axes tokens = kTokenAxes;
};
AxesOf axes_of(std::string_view field, const std::vector<AxisOrder>& orders);

}  // namespace mha::input
