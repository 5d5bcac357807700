#pragma once

#include <string>

#include "attention/matrix.h"
#include "lessons/09-multi-head-attention/pipeline.h"
#include "report/report.h"

namespace mha::commands {

/// The two-head pipeline at which size. `concat` and `filterbank` look at it.
struct PipelineOptions {
  Index T = lesson09::kPipelineTokens;
  double gain = lesson09::kGain;
  std::string wo = "mixing";  ///< one of lesson09::kOutputProjections; for filterbank also kEveryProjection
};

inline const std::string kEveryProjection = "all";

/// The pipeline asked for. Throws std::invalid_argument when it cannot be held or when a score would
/// overflow.
lesson09::Pipeline lesson_pipeline(const PipelineOptions& options);

/// The axes of its figures: the columns of Concat (h1.1, h1.2, h2.1, h2.2), the heads set apart; the
/// channels d1 … d4 of O; the tokens.
report::Axis concat_axis();
report::Axis channel_axis();
report::Axis token_axis();

/// The options as the parameters of a report: T, gain, wo.
report::Object pipeline_parameters(const PipelineOptions& options);

}  // namespace mha::commands
