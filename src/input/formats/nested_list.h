#pragma once

#include <optional>
#include <string>
#include <vector>

#include "attention/matrix.h"

namespace mha::input {

/// Lists in lists as they are heard, down to numbers or a list of strings. Refuses, as a JsonComplaint, lists
/// of different lengths or depths, empty ones and mixtures.
class NestedList {
 public:
  void begin_list();
  void end_list();
  void number(double value);
  void text(const std::string& text);

  [[nodiscard]] bool is_open() const { return !counts_.empty(); }

  /// `row 2`, `column 3` of the entry that comes next.
  [[nodiscard]] std::vector<std::string> place() const;

  [[nodiscard]] const std::vector<Index>& shape() const { return shape_; }
  std::vector<double>& values() { return values_; }
  std::vector<std::string>& texts() { return texts_; }

 private:
  std::vector<Index> shape_;         ///< as far as known: a list's size at its end
  std::vector<Index> counts_;        ///< of the lists that are open, how many entries they have had
  std::optional<std::size_t> rank_;  ///< once a number was heard, how deep it was
  std::vector<double> values_;
  std::vector<std::string> texts_;
};

}  // namespace mha::input
