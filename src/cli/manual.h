#pragma once

#include <string>

namespace mha::cli {

/// The manual page mha(1), made from the command table: every command with its options and examples, exit
/// statuses, environment. Written with the man macros of groff and mandoc, in ASCII.
std::string manual();

}  // namespace mha::cli
