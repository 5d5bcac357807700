#include "cli/page_file.h"

#include <vector>

#include "cli/output_file.h"
#include "input/memory.h"
#include "render/html/html.h"
#include "render/text/text.h"

namespace mha::cli {
namespace {

using After = report::NextStep::After;

/// The steps that lead on from this request: those for its input, or those for the lesson's heads, and none
/// that leads back to it.
void choose_next(std::vector<report::NextStep>& steps, const std::string& here, const Request& request) {
  std::erase_if(steps, [&](const report::NextStep& step) {
    const After other = request.input_options.empty() ? After::kFile : After::kLesson;
    return step.after == other || step.command_line == here;
  });
  for (report::NextStep& step : steps) {
    if (step.after == After::kFile) step.command_line += " " + request.input_options;
  }
}

}  // namespace

void write_page(report::Document document, const Request& request) {
  const std::string& path = request.show.html;
  require_place_for_a_file("--html", path);  // before the work of drawing
  if (request.show.full) {
    // As text, and in the page as it is made.
    constexpr double kCopies = 4.0;
    input::require_memory("--full with --html", kCopies * render::whole_text_bytes(document));
  }
  document.command_line = request.command_line;
  choose_next(document.explanation.next, request.command_line, request);
  for (report::Script& script : document.scripts) {
    for (report::Report& step : script.steps) {
      if (document.is_one_command()) step.command_line = request.command_line;
      choose_next(step.explanation.next, step.command_line, request);
    }
  }
  write_output_file("--html", path,
                    render::html(document, {.program = "mha " MHA_VERSION, .full = request.show.full}));
}

}  // namespace mha::cli
