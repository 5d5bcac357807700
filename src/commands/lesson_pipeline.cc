#include "commands/lesson_pipeline.h"

#include <fmt/format.h>

#include "commands/requirements.h"

namespace mha::commands {

lesson09::Pipeline lesson_pipeline(const PipelineOptions& options) {
  // X and both heads' Q, K and V, twice while they are handed on, and a row of A.
  constexpr double kNumbersPerToken =
      2.0 * (lesson09::kModelWidth + 3.0 * lesson09::kHeadWidth * lesson09::kPipelineHeads) + 1.0;
  require_memory(fmt::format("--T {}", options.T),
                 kNumbersPerToken * static_cast<double>(options.T) * sizeof(double));

  lesson09::Pipeline pipeline = lesson09::two_head_pipeline(options.T, options.gain);
  int number = 1;
  for (const analysis::BankHead& head : pipeline.heads) {
    require_finite_scores(head.Q, head.K, number++, options.gain);
  }
  return pipeline;
}

report::Axis concat_axis() {
  return {"column of Concat",
          [](Index c) {
            return fmt::format("h{}.{}", c / lesson09::kHeadWidth + 1, c % lesson09::kHeadWidth + 1);
          },
          lesson09::kHeadWidth};
}

report::Axis channel_axis() { return {"output channel", report::numbered("d")}; }

report::Axis token_axis() { return {"token position t", report::numbered("t")}; }

report::Object pipeline_parameters(const PipelineOptions& options) {
  return {{"T", {static_cast<report::Count>(options.T)}}, {"gain", {options.gain}}, {"wo", {options.wo}}};
}

}  // namespace mha::commands
