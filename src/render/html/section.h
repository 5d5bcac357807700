#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "render/markup.h"
#include "report/report.h"

/// What a page shows of one report, and the pieces that other places of the page share.
namespace mha::render {

/// How many printed blocks and figures the page has so far.
struct PageNumbering {
  std::size_t blocks = 0;
  std::size_t figures = 0;
};

/// The equations, the parameters, the command and its output (all of it if `full`), the figures. Continues
/// the numbering.
Markup section(const report::Report& report, bool full, PageNumbering& numbers);

/// The equation in MathML Core, from equations.cc.
Markup math_ml(report::Equation equation);

/// A paragraph of our own text; nothing if it is empty.
Markup paragraph(const std::string& sentences);

/// A command line to copy, with the program's name, and with --full where blocks are whole.
Markup command(const std::string& command_line, bool full, const std::string& more_classes = "");

inline constexpr const char* kNextHeading = "Next steps";

/// Commands to try next, under a heading of that level; nothing if there are none.
Markup next_steps(const std::vector<report::NextStep>& steps, int level);

/// The id of the page's n-th figure.
std::string figure_id(std::size_t n);

}  // namespace mha::render
