#pragma once

#include <string>
#include <vector>

#include "report/report.h"

namespace mha::cli {

/// Throws std::invalid_argument if the page would take the place of one of the figures' files. No page is
/// asked for where `page` is empty.
void refuse_page_over_figures(const std::string& page, const std::vector<std::string>& figures);

/// Writes the document, which `words` after the program's name gave, as one page to `path`, whole or not
/// at all; `full` as for text. Throws std::invalid_argument if such a page cannot be held, and
/// std::runtime_error, naming the file, if it cannot be written.
void write_page(report::Document document, const std::string& words, bool full, const std::string& path);

}  // namespace mha::cli
