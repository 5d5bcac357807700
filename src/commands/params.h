#pragma once

#include <optional>
#include <vector>

#include "analysis/counts.h"
#include "input/layers/model.h"
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
  input::ModelOptions own = {};  ///< a person's own layer to count instead; its file is empty for none
};

/// The counts of the lesson's pipeline: d_model = 4, H = 2.
analysis::ParameterCounts lesson_parameter_counts();

/// The counts of a layer that was read; none where a width is not known.
std::optional<analysis::ParameterCounts> model_counts(const input::Model& model);

/// The lesson's line `parameters: W_Q, W_K, W_V = …   W_O = …   total = …`, with `  biases = …` before the
/// total where there are any.
report::Line parameter_line(const analysis::ParameterCounts& counts);

/// Parameter counts; without options, and for a file with packed projections, the lesson's line, the packed
/// W_Q and the slice error. Throws std::invalid_argument for an H that does not divide d_model, key/value
/// heads that do not divide H, and counts beyond 2^63.
report::Report params(const ParamsOptions& options);

}  // namespace mha::commands
