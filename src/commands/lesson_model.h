#pragma once

#include <memory>

#include "commands/heads.h"
#include "commands/pipeline.h"
#include "input/layers/model.h"

namespace mha::commands {

/// The lesson's hand-set heads, as a layer like a person's own. Only those asked for are made. Throws
/// std::invalid_argument when they cannot be held or when a score would overflow.
std::shared_ptr<const input::Model> lesson_heads(const HeadOptions& options);

/// The lesson's two-head pipeline without its W_O, of which there are three. Throws as above.
std::shared_ptr<const input::Model> lesson_pipeline(const PipelineOptions& options);

}  // namespace mha::commands
