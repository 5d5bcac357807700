#include "cli/listing.h"

#include <cstddef>

#include "cli/request.h"
#include "cli/shared_options.h"

namespace mha::cli {

std::vector<ListedCommand> listed_commands() {
  std::vector<ListedCommand> listed;
  for (const Command& command : command_table()) {
    Request request;
    Options options("mha " + command.name, command.description, command.examples);
    command.declare(options);
    const auto own = static_cast<std::ptrdiff_t>(options.entries().size()) - 1;  // the last is --help
    shared_options(command, options, request);
    const std::vector<OptionEntry> all = options.entries();
    listed.push_back({&command, {all.begin(), all.begin() + own}, {all.begin() + own, all.end()}});
  }
  return listed;
}

const std::vector<OptionEntry>& program_options() {
  using Value = OptionEntry::Value;
  static const std::vector<OptionEntry> options = {
      {"", "--help", "", "list the commands"},
      {"", "--version", "", "print the version"},
      {"", "--man", "", "print the manual page"},
      {"",
       "--completion",
       "SHELL",
       "print what that shell needs to complete the words of a command line",
       Value::kChoice,
       {"bash", "zsh", "fish"}},
  };
  return options;
}

}  // namespace mha::cli
