#pragma once

#include <optional>
#include <vector>

#include "analysis/counts.h"
#include "commands/command.h"
#include "commands/layers.h"
#include "report/report.h"

namespace mha::commands {

/// What to count. An option that was not given keeps the lesson's value; when none was, the lesson's
/// block is printed instead of a table.
struct ParamsOptions {
  std::optional<analysis::Count> d_model;         ///< 4
  std::optional<std::vector<analysis::Count>> H;  ///< 2; a row of the table for each
  std::optional<analysis::Count> d_k;             ///< d_model / H
  std::optional<analysis::Count> kv_heads;        ///< H
  bool bias = false;
  input::LayerOptions file = {};  ///< a layer to count instead; its path is empty for none
};

/// Parameter counts; without options, and for a file with packed projections, the lesson's line, the packed
/// W_Q and the slice error. Throws std::invalid_argument for an H that does not divide d_model, key/value
/// heads that do not divide H, and counts beyond 2^63.
report::Report params(const ParamsOptions& options);

extern const Command kParams;

}  // namespace mha::commands
