#pragma once

#include <cstddef>
#include <string>

#include "render/xml_writer.h"
#include "report/report.h"

/// What a page shows of one report, and the pieces that other places of the page share.
namespace mha::render {

/// How many printed blocks and figures the page has so far.
struct PageNumbering {
  std::size_t blocks = 0;
  std::size_t figures = 0;
};

/// A paragraph of ours; nothing if it is empty.
void write_paragraph(XmlWriter& page, const std::string& sentences, const std::string& css_class = "");

/// The equations, the parameters, the command and its output (all of it if `full`), the figures. Continues
/// the numbering.
void write_body(XmlWriter& page, const report::Report& report, bool full, PageNumbering& numbers);

/// A command line to copy, with the program's name, and with --full where blocks are whole.
void write_command(XmlWriter& page, const std::string& command_line, bool full,
                   const std::string& more_classes = "");

inline constexpr const char* kNextHeading = "Next steps";

/// Commands to try next, under a heading of that level ("h2"); nothing if there are none.
void write_next(XmlWriter& page, const std::vector<report::NextStep>& next, const std::string& heading);

/// The id of the page's n-th figure.
std::string figure_id(std::size_t n);

}  // namespace mha::render
