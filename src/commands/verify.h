#pragma once

#include "report/report.h"

namespace mha::commands {

/// The lesson's expected numbers, a row each; the report is not ok if any of them is not.
report::Report verify();

}  // namespace mha::commands
