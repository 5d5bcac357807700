#pragma once

#include "render/markup.h"
#include "report/report.h"

namespace mha::render {

/// The equation in MathML Core.
Markup math_ml(report::Equation equation);

}  // namespace mha::render
