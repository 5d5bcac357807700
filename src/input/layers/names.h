#pragma once

#include <span>
#include <string>
#include <string_view>

#include "attention/layer.h"
#include "input/layers/arrays.h"

namespace mha::input {

/// The precision of numbers of a dtype; float64 of those that are exact.
attention::Precision precision_of(std::string_view dtype);

/// What is read of a file.
struct NamesRead {
  std::span<const std::string> read;           ///< names, without the prefix
  std::span<const std::string> harmless = {};  ///< others that may be there and change nothing
  bool scores = true;                          ///< whether scores are computed from what is read
};

/// Sees to it that nothing of the file is passed over in silence, below the prefix: refuses what is known to
/// change attention and is not read, and a name that is read but for its case; adds the rest that is not read
/// to `layer.unused`, and a note. What is read makes `layer.precision` coarser.
void account_for_names(const Arrays& arrays, const NamesRead& names, attention::Layer& layer);

}  // namespace mha::input
