#pragma once

#include <string>
#include <vector>

#include "report/report.h"

namespace mha::cli {

/// Every figure of a document, in order.
std::vector<report::Figure> figures_of(const report::Document& document);

/// Writes each figure as `directory`/name.svg and makes the directory if need be. A file appears whole
/// or not at all: it is written beside its place under another name, then moved there. Returns the paths
/// written. Throws std::system_error, naming the directory or the file, for what cannot be made or
/// written.
std::vector<std::string> write_figures(const std::vector<report::Figure>& figures,
                                       const std::string& directory);

}  // namespace mha::cli
