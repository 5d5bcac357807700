#pragma once

#include <string>

namespace mha::cli {

/// What bash, zsh or fish needs to complete a command line of mha, made from the command table: commands,
/// options, the choices of those that have some, and files and directories where they are asked for.
std::string completion(const std::string& shell);

}  // namespace mha::cli
