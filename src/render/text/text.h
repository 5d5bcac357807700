#pragma once

#include <functional>
#include <iosfwd>

#include "report/report.h"

namespace mha::render {

using FigureWriter = std::function<void(const report::Figure& figure, std::ostream& out)>;

/// Writes a document in the lesson's text format. Long vectors and matrices show their first 8 rows and
/// columns, and only those rows are computed; `full` shows everything. After a report's lines,
/// `write_figure` writes its figures.
void text(const report::Document& document, bool full, std::ostream& out,
          const FigureWriter& write_figure = nullptr);
/// The same for one report.
void text(const report::Report& report, bool full, std::ostream& out,
          const FigureWriter& write_figure = nullptr);

/// About how many bytes the vectors and matrices take when printed with `full`.
double whole_text_bytes(const report::Document& document);

}  // namespace mha::render
