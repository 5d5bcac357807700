#pragma once

#include "attention/progress.h"

/// Progress by another name, for the renderers, which know reports and no attention.
namespace mha::report {

using attention::causal_pairs;
using attention::finish_pairs;
using attention::plan_pairs;

}  // namespace mha::report
