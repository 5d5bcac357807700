#pragma once

#include <vector>

#include "commands/command.h"
#include "lessons/09-multi-head-attention/expected.h"
#include "report/report.h"

namespace mha::commands {

/// The lesson's expected numbers, a row each; the report is not ok if any of them is not.
report::Report verify();

/// The same of checks that somebody else made.
report::Report verify(const std::vector<lesson09::Check>& expected);

extern const Command kVerify;

}  // namespace mha::commands
