#pragma once

#include <string>
#include <vector>

#include "cli/command_table.h"

/// All that a command line may hold, as data and as help.
namespace mha::cli {

/// One command and all that it takes.
struct ListedCommand {
  const commands::Command* command;
  std::vector<options::Option> own;     ///< positional arguments, and the options that it declares itself
  std::vector<options::Option> shared;  ///< those of every command, and of every one that draws

  [[nodiscard]] std::vector<options::Option> all() const;
};

/// All commands, in the order of the table.
std::vector<ListedCommand> listed_commands();

/// What can stand where a command does.
const std::vector<options::Option>& program_options();

/// What `mha --help` prints.
std::string program_help();

/// What `mha COMMAND --help` prints; `options` are the command's, the shared ones among them.
std::string command_help(const commands::Command& command, const std::vector<options::Option>& options);

/// The manual page mha(1), made from the command table: every command with its options and examples, exit
/// statuses, environment. Written with the man macros of groff and mandoc, in ASCII.
std::string manual();

/// What bash, zsh or fish needs to complete a command line of mha, made from the command table: commands,
/// options, the choices of those that have some, and files and directories where they are asked for.
std::string completion(const std::string& shell);

}  // namespace mha::cli
