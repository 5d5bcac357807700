#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "attention/index.h"
#include "input/layers/arrays.h"

namespace mha::input {

/// The numbers that say how a layer attends: causal (0 or 1), scale, offset, window, kv_length, softcap,
/// rope_base, rope_dims, rope_pairs (half or interleaved), norm_eps. Each is given by the command line or by
/// the file; the command line wins.
class Settings {
 public:
  /// The names, as files and `NAME=VALUE` have them.
  static const std::vector<std::string>& names();

  /// `given`: NAME=VALUE each. Refuses an unknown name, a name given twice and a value that is not allowed.
  explicit Settings(const std::vector<std::string>& given);

  /// Adds those that the file has and nobody gave. Refuses an array of several numbers under such a name.
  void add_from(const Arrays& arrays);

  /// Adds a value that counts where nobody said another: of a configuration, or of a layout. Refuses, `place`
  /// first, one that is not allowed.
  void add(const std::string& name, double value, const std::string& place);
  /// The next of the numbers of Llama 3's scaling of rotary positions (rotary.h), in their order there.
  void add_scaling(double value) { scaling_.push_back(value); }
  [[nodiscard]] const std::vector<double>& scaling() const { return scaling_; }

  [[nodiscard]] std::optional<double> number(const std::string& name) const;
  [[nodiscard]] std::optional<Index> whole(const std::string& name) const;
  /// Whether the command line gave it.
  [[nodiscard]] bool is_given(const std::string& name) const;

 private:
  struct Value {
    double number;
    bool given;
  };
  std::map<std::string, Value> values_;
  std::vector<double> scaling_;
};

}  // namespace mha::input
