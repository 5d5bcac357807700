#pragma once

#include <iosfwd>

#include "report/report.h"

namespace mha::render {

/// Writes a document in the lesson's text format. Long vectors and matrices show their first 8 rows and
/// columns, and only those rows are computed; `full` shows everything.
void text(const report::Document& document, bool full, std::ostream& out);

}  // namespace mha::render
