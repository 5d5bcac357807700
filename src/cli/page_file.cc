#include "cli/page_file.h"

#include "cli/output_file.h"
#include "commands/explain.h"
#include "input/memory.h"
#include "render/html.h"
#include "render/text.h"

namespace mha::cli {

void write_page(report::Document document, const std::string& words, bool full, const std::string& path) {
  require_place_for_a_file("--html", path);  // before the work of drawing
  if (full) {
    // As text, and in the page as it is made.
    constexpr double kCopies = 4.0;
    input::require_memory("--full with --html", kCopies * render::whole_text_bytes(document));
  }
  if (auto* report = std::get_if<report::Report>(&document)) report->words = words;
  render::Page page{
      .about = commands::explain(document), .words = words, .program = "mha " MHA_VERSION, .full = full};
  write_output_file("--html", path, render::html(document, page));
}

}  // namespace mha::cli
