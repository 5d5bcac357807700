#include "cli/page_file.h"

#include "cli/output_file.h"
#include "commands/explain.h"
#include "input/memory.h"
#include "render/html/html.h"
#include "render/text/text.h"

namespace mha::cli {

void write_page(report::Document document, const std::string& command_line, bool full,
                const std::string& path) {
  require_place_for_a_file("--html", path);  // before the work of drawing
  if (full) {
    // As text, and in the page as it is made.
    constexpr double kCopies = 4.0;
    input::require_memory("--full with --html", kCopies * render::whole_text_bytes(document));
  }
  document.command_line = command_line;
  if (document.is_one_command()) document.scripts.front().steps.front().command_line = command_line;
  commands::explain(document);
  write_output_file("--html", path, render::html(document, {.program = "mha " MHA_VERSION, .full = full}));
}

}  // namespace mha::cli
