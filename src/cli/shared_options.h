#pragma once

#include "cli/command_table.h"
#include "cli/options.h"
#include "cli/request.h"

namespace mha::cli {

/// Declares the options that every command takes, and those of every command that draws: how to compute and
/// how to show the result.
void shared_options(const Command& command, Options& options, Request& request);

}  // namespace mha::cli
