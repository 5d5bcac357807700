#pragma once

#include <string>

#include "report/explanation.h"

namespace mha::render {

/// The equation in MathML Core.
std::string math_ml(report::Equation equation);

}  // namespace mha::render
