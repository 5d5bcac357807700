#pragma once

#include <vector>

#include "cli/command_table.h"
#include "cli/options.h"

/// All that a command line may hold, as data, for what tells others of it: the manual page and the
/// completions of shells.
namespace mha::cli {

/// One command and all that it takes.
struct ListedCommand {
  const Command* command;
  std::vector<OptionEntry> own;     ///< words, and the options that it declares itself
  std::vector<OptionEntry> shared;  ///< those of every command, and of every one that draws
};

/// All commands, in the order of the table.
std::vector<ListedCommand> listed_commands();

/// What can stand where a command does.
const std::vector<OptionEntry>& program_options();

}  // namespace mha::cli
