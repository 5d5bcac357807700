#pragma once

#include <string>
#include <vector>

#include "report/report.h"

namespace mha::commands {

/// The names of the lesson's standalone scripts, in the lesson's order.
const std::vector<std::string>& script_names();

/// Runs the scripts named (all when none is). Throws std::invalid_argument for a name that is not a script.
report::Document run(const std::vector<std::string>& names);

}  // namespace mha::commands
