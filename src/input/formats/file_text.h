#pragma once

#include <string>

namespace mha::input {

/// The whole of a file, which may be a pipe; of standard input for `-`. `name` is what messages call it.
/// Throws std::invalid_argument for one that cannot be read, is a directory, is empty or is longer than 16
/// MiB: no answer is, and an endless file must not fill the memory.
std::string file_text(const std::string& path, const std::string& name);

}  // namespace mha::input
