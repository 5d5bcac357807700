#pragma once

#include "commands/pipeline.h"
#include "report/report.h"

namespace mha::commands {

/// The filter-bank identity: its largest deviation for one W_O, or for every one followed by the ranks
/// of the channel maps W_V^h W_O^(h).
report::Report filterbank(const PipelineOptions& options);

}  // namespace mha::commands
