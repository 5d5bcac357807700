#pragma once

#include <filesystem>
#include <string_view>

namespace mha::state {

/// What links lead to in the end, be it there or not. Throws std::system_error for links without an end.
std::filesystem::path behind_links(std::filesystem::path place);

/// Writes a file that appears whole or not at all: under a passing name beside its place, then moved there,
/// replacing what was there, with its mode. A link stays, and what it leads to is replaced, or made. Signals
/// wait meanwhile, so that none leaves the passing file behind. Throws std::system_error when it cannot be
/// written; then nothing has changed.
void write_whole_file(const std::filesystem::path& path, std::string_view content);

}  // namespace mha::state
