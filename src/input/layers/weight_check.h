#pragma once

#include "input/layers/model.h"

namespace mha::input {

/// Refuses weights that the file has as they are and of which a row is no distribution: a weight below 0, a
/// sum off 1 by more than kRowSumTolerance (a row that may see no key has to be zero). Notes the largest
/// weight above the diagonal, which is not wrong, but no causal mask. Reads every row once.
void check_weights(Model& model);

}  // namespace mha::input
