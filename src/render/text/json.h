#pragma once

#include <iosfwd>

#include "report/report.h"

namespace mha::render {

/// Writes a document as one JSON object (RFC 8259), every number at full precision. Matrices are
/// streamed a few rows at a time. Throws std::runtime_error for a number that JSON cannot hold.
void json(const report::Document& document, std::ostream& out);

}  // namespace mha::render
