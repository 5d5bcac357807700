#pragma once

#include <optional>
#include <string>
#include <vector>

#include "options/options.h"

namespace mha::cli {

/// An option that was among the arguments, and the texts that it was given: none for a flag.
struct Given {
  const options::Option* option;
  std::vector<std::string> texts;
};

/// Reads the arguments of `mha COMMAND` into its options, and checks them. Returns what was given, in the
/// order of the declarations; nothing, and sets nothing, when help was asked for. Throws
/// std::invalid_argument for anything that is wrong with them.
std::optional<std::vector<Given>> parse(const std::string& command, const options::Options& options,
                                        const std::vector<std::string>& arguments);

/// What was given as a shell would read it again, positional arguments first, without what only says how to
/// show the result.
std::string command_line(const std::vector<Given>& given);

/// --input and what describes the same heads to another command; empty without --input.
std::string input_options(const std::vector<Given>& given);

}  // namespace mha::cli
