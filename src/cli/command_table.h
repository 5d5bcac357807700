#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/options.h"
#include "report/report.h"

namespace mha::cli {

/// One command: what `mha NAME` is called, says of itself, takes and does.
struct Command {
  std::string name;
  std::string summary;      ///< one line, for `mha --help`
  std::string description;  ///< for `mha NAME --help`
  std::vector<std::string> examples;
  bool draws;  ///< has figures, and so --plot, --svg and --color
  /// Declares the command's options and returns what to do once they are read.
  std::function<report::Document()> (*declare)(Options& options);
};

/// All commands, in the order in which help lists them. A new command is a row here and a file in
/// src/commands.
const std::vector<Command>& command_table();

}  // namespace mha::cli
