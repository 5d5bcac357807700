#pragma once

#include <cstddef>
#include <string>

#include "render/html/pen.h"
#include "report/report.h"

/// What a page shows of one report, and the pieces that stand elsewhere on it too.
namespace mha::render {

/// How many printed blocks and figures the page has so far.
struct PageNumbering {
  std::size_t blocks = 0;
  std::size_t figures = 0;
};

/// A paragraph of our own; nothing if there is none.
void write_paragraph(HtmlPen& pen, const std::string& sentences, const std::string& css_class = "");

/// The equations, the parameters, the command with what it prints (whole if `full`), the figures. Numbers its
/// blocks and figures on.
void write_body(HtmlPen& pen, const report::Report& report, bool full, PageNumbering& numbers);

/// A command line, the program's name before it, to be copied; with --full where blocks are whole.
void write_command(HtmlPen& pen, const std::string& command_line, bool full,
                   const std::string& more_classes = "");

/// Where to go next, under a heading of that level ("h2"); nothing if there is nowhere.
void write_next(HtmlPen& pen, const std::vector<report::NextStep>& next, const std::string& heading);

/// What links lead to the n-th figure of the page by.
std::string figure_id(std::size_t n);

}  // namespace mha::render
