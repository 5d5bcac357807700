#pragma once

#include "cli/request.h"
#include "report/report.h"

namespace mha::cli {

/// Writes the document of a request as one page to its --html, whole or not at all. Throws
/// std::runtime_error, naming the file, if it cannot be written.
void write_page(report::Document document, const Request& request);

}  // namespace mha::cli
