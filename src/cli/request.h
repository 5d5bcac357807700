#pragma once

#include <string>
#include <vector>

#include "cli/shared_options.h"
#include "commands/commands.h"

namespace mha::cli {

/// A file that a run reads, and the option that names it.
struct ReadFile {
  std::string option;
  std::string path;
};

/// What a command line asks for: a text to print (help, version), or work and how to show its result.
struct Request {
  std::string text;
  commands::Work work;  ///< empty when there is only text
  SharedOptions show = {};
  std::vector<ReadFile> reads = {};  ///< whose place no output may take
  /// The command and its options, without those that say how to show the result.
  std::string command_line = {};
  std::string input_options = {};  ///< of these, --input and what belongs to it
};

/// Reads the arguments after the program's name. Throws std::invalid_argument, with a message of one
/// line, for a request that is wrong.
Request read_request(const std::vector<std::string>& arguments);

}  // namespace mha::cli
