#pragma once

#include "report/report.h"

namespace mha::commands {

/// Fills in what a page says beside the numbers: the explanation of every report and script, and of a
/// script's steps the command line, where it is not there yet. Returns what it says of the document as a
/// whole. A command without an entry in explain.cc gets its name for a title and no more.
report::Explanation explain(report::Document& document);

}  // namespace mha::commands
