#pragma once

#include "render/markup.h"
#include "report/report.h"

namespace mha::render {

/// The equation in MathML Core, for a layer that attends so.
Markup math_ml(report::Equation equation, const report::Attends& attends = {});

}  // namespace mha::render
