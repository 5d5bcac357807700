#include <cstdio>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "attention/threads.h"
#include "cli/output_file.h"
#include "cli/progress_line.h"
#include "cli/request.h"
#include "cli/standard_output.h"
#include "platform/terminal.h"
#include "render/npz/npz.h"
#include "render/terminal/terminal.h"
#include "render/text/json.h"
#include "render/text/text.h"
#include "report/report.h"
#include "text/field.h"
#include "text/quote.h"

using namespace mha;

namespace {

enum Status { kDone = 0, kFailed = 1, kWrongRequest = 2 };

/// A line on standard error.
void tell(const std::string& message) {
  std::fprintf(stderr, "mha: %s\n", text::on_one_line(message).c_str());
}

int complain(const std::string& message, Status status) {
  tell(text::with_flags(message));
  return status;
}

int run(const std::vector<std::string>& arguments) {
  const cli::Request request = cli::read_request(arguments);
  cli::StandardOutput output;
  if (!request.work) {
    output.stream() << request.text;
    output.finish();
    return kDone;
  }
  attention::set_threads(request.show.threads.value_or(0));
  cli::ProgressLine progress;
  const report::Document document = request.work();
  const int status = document.ok() ? kDone : kFailed;
  for (const report::Script& script : document.scripts) {
    for (const report::Report& step : script.steps) {
      for (const std::string& note : step.notes) complain("note: " + note, kDone);
    }
  }
  if ((request.show.plot || !request.show.svg.empty()) && document.figures().empty()) {
    throw std::invalid_argument(std::string(request.show.plot ? "--plot" : "--svg") +
                                ": there is no figure of this result");
  }
  // Before the text: whoever reads it to its end, or only its beginning, has the files.
  cli::write_files(document, request, [&progress](const std::string& path) {
    progress.clear();
    tell("wrote " + path);
  });
  progress.make_way();
  try {
    if (request.show.format == cli::Format::kJson) {
      render::json(document, output.stream());
    } else if (request.show.format == cli::Format::kNpz) {
      if (request.show.output == "-")
        render::npz(document, [&output](std::string_view bytes) { output.stream() << bytes; });
    } else {
      render::FigureWriter plot;
      if (request.show.plot) {
        plot = [screen = cli::screen_of(request.show.color)](const report::Figure& figure,
                                                             std::ostream& out) {
          render::terminal(figure, screen, out);
        };
      }
      render::text(document, request.show.full, output.stream(), plot);
    }
    output.finish();
  } catch (const cli::ClosedPipe&) {
    // The reader left; a failed check stays failed.
  }
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  platform::ignore_write_signals();
  try {
    return run({argv + 1, argv + argc});
  } catch (const cli::ClosedPipe&) {
    return kDone;
  } catch (const std::invalid_argument& e) {
    return complain(e.what(), kWrongRequest);
  } catch (const std::bad_alloc&) {
    return complain("out of memory", kFailed);
  } catch (const std::exception& e) {
    return complain(e.what(), kFailed);
  }
}
