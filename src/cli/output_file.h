#pragma once

#include <functional>
#include <string>

#include "cli/request.h"
#include "report/report.h"

/// The files that a run makes beside what it prints.
namespace mha::cli {

/// Throws std::invalid_argument where a file written to `path` would take the place of one that is read.
void refuse_over_what_is_read(const std::string& option, const std::string& path, const Request& request);

/// Writes the figures to the directory of --svg, which is made if need be, the page of --html and the arrays
/// of --output, and calls tell(path) of each. A file appears whole or not at all. Throws
/// std::invalid_argument where two of them, or one and a file that is read, would be one file, and for arrays
/// that there are not; std::runtime_error, naming the option and the path, for what cannot be made or
/// written.
void write_files(const report::Document& document, const Request& request,
                 const std::function<void(const std::string& path)>& tell);

}  // namespace mha::cli
