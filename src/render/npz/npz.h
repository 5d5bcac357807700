#pragma once

#include "render/npz/npz_writer.h"
#include "report/report.h"

namespace mha::render {

/// Writes the arrays of a document's results as a .npz archive, by the names that JSON has for them; numbers
/// and texts that stand alone are arrays without axes. What the elements of a list have in common is stacked,
/// so that `heads[]: A` is `A [H, T_q, T_k]`; where their shapes differ, they are `A_1`, `A_2`, …. A name
/// that is taken has the list's before it: `repeats.heads`. Texts in lists are left out. Several scripts put
/// `SCRIPT.COMMAND.` before each name.
///
/// Matrices are streamed a few rows at a time. Throws std::invalid_argument where there is no array, and for
/// a count that a double cannot hold.
void npz(const report::Document& document, const Sink& out);

}  // namespace mha::render
