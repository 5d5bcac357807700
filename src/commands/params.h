#pragma once

#include <optional>
#include <vector>

#include "analysis/counts.h"
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
};

/// The counts of the lesson's pipeline: d_model = 4, H = 2.
analysis::ParameterCounts lesson_parameter_counts();

/// The lesson's line `parameters: W_Q, W_K, W_V = …   W_O = …   total = …`.
report::Line parameter_line(const analysis::ParameterCounts& counts);

/// Parameter counts; without options the lesson's line, its packed W_Q and the slice error. Throws
/// std::invalid_argument for an H that does not divide d_model, key/value heads that do not divide H,
/// and counts beyond 2^63.
report::Report params(const ParamsOptions& options);

}  // namespace mha::commands
