#pragma once

#include "report/report.h"

namespace mha::commands {

/// Fills in what a page says beside the numbers: the explanation of the document, of its scripts and reports.
void explain(report::Document& document);

}  // namespace mha::commands
