#pragma once

#include <string>
#include <vector>

#include "report/report.h"

namespace mha::cli {

/// Where each figure's file goes: `directory`/name.svg.
std::vector<std::string> figure_paths(const std::vector<report::Figure>& figures,
                                      const std::string& directory);

/// Writes each figure to its path and makes the directory if need be. A file appears whole or not at all.
/// Throws std::runtime_error, naming the directory or the file, for what cannot be made or written; what is
/// in the way of any of them is refused before the first is written.
void write_figures(const std::vector<report::Figure>& figures, const std::string& directory);

}  // namespace mha::cli
