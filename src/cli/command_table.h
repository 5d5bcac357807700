#pragma once

#include <span>
#include <string_view>

#include "commands/commands.h"

namespace mha::cli {

/// All commands, in the order in which help lists them. A new command is a file in src/commands, its
/// declaration in commands.h there and a row here.
std::span<const commands::Command* const> command_table();

/// The command of that name; null if there is none.
const commands::Command* find_command(std::string_view name);

}  // namespace mha::cli
