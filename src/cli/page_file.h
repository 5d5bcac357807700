#pragma once

#include <string>

#include "report/report.h"

namespace mha::cli {

/// Writes the document, which `command_line` after the program's name gave, as one page to `path`, whole or
/// not at all; `full` as for text. Throws std::invalid_argument if such a page cannot be held, and
/// std::runtime_error, naming the file, if it cannot be written.
void write_page(report::Document document, const std::string& command_line, bool full,
                const std::string& path);

}  // namespace mha::cli
