#pragma once

#include <array>
#include <string>
#include <vector>

#include "commands/layers.h"
#include "input/layers/stack.h"
#include "report/lazy_matrix.h"

/// What somebody else computed, and the same computed here.
namespace mha::commands {

/// What can be compared. O_concat may come as `[H, T, d_v]` too.
enum class Target { kA, kO, kOConcat };
inline constexpr std::array kTargetNames = {"A", "O", "O_concat"};
constexpr text::Names names_of(Target) { return kTargetNames; }

/// The file that holds it, and how it is read.
struct ExpectedOptions {
  std::string path;
  std::optional<Target> as;            ///< what the array is, where its name does not say so
  std::vector<input::AxisOrder> axes;  ///< how its axes lie
};

/// Something that can be computed from the inputs: a matrix for each head, or one.
struct Computed {
  Target target;
  std::vector<report::LazyMatrix> parts;

  /// `A`, `O`, `Concat`.
  [[nodiscard]] std::string name() const;
  /// `Concat [6, 4]`.
  [[nodiscard]] std::string name_and_shape() const;
};

struct Expected {
  Computed computed;
  std::string dtype;  ///< `float32`
  input::Stack stack;
};

/// Finds the array and computes the same from the layer, that of `file`. Without a name or `as` it is O where
/// there is W_O or a layout, Concat where there are bare Q, K and V, and never A. Throws
/// std::invalid_argument for an array that is not clearly one of them, and for one of another shape.
Expected expected_array(const ExpectedOptions& options, const input::LayerOptions& file,
                        const SharedLayer& layer);

}  // namespace mha::commands
