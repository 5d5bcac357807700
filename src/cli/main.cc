#include <cstdio>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "attention/threads.h"
#include "cli/output_file.h"
#include "cli/page_file.h"
#include "cli/progress_line.h"
#include "cli/request.h"
#include "cli/standard_output.h"
#include "platform/terminal.h"
#include "render/terminal/terminal.h"
#include "render/text/json.h"
#include "render/text/text.h"
#include "report/report.h"
#include "text/field.h"
#include "text/quote.h"

namespace {

enum Status { kDone = 0, kFailed = 1, kWrongRequest = 2 };

int complain(const std::string& message, Status status) {
  std::fprintf(stderr, "mha: %s\n", mha::text::on_one_line(mha::text::with_flags(message)).c_str());
  return status;
}

int run(const std::vector<std::string>& arguments) {
  const mha::cli::Request request = mha::cli::read_request(arguments);
  mha::cli::StandardOutput output;
  if (!request.work) {
    output.stream() << request.text;
    output.finish();
    return kDone;
  }
  mha::attention::set_threads(request.show.threads.value_or(0));
  mha::cli::ProgressLine progress;
  const mha::report::Document document = request.work();
  const int status = document.ok() ? kDone : kFailed;
  const std::vector<mha::report::Figure> figures = document.figures();
  if (figures.empty() && (request.show.plot || !request.show.svg.empty())) {
    throw std::invalid_argument(std::string(request.show.plot ? "--plot" : "--svg") +
                                ": there is no figure of this result");
  }
  const auto tell_written = [&progress](const std::string& path) {
    progress.clear();
    std::fprintf(stderr, "mha: wrote %s\n", mha::text::on_one_line(path).c_str());
  };
  if (!request.show.svg.empty()) {
    const std::vector<std::string> paths = mha::cli::figure_paths(figures, request.show.svg);
    mha::cli::refuse_one_place_for_two(paths, request.show.html);
    for (const std::string& path : paths) mha::cli::refuse_over_what_is_read("--svg", path, request.reads);
    // Before the text: whoever reads it to its end, or only its beginning, has the files.
    mha::cli::write_figures(figures, request.show.svg);
    for (const std::string& path : paths) tell_written(path);
  }
  if (!request.show.html.empty()) {
    mha::cli::write_page(document, request);
    tell_written(request.show.html);
  }
  progress.make_way();
  try {
    if (request.show.format == mha::cli::Format::kJson) {
      mha::render::json(document, output.stream());
    } else {
      mha::render::FigureWriter plot;
      if (request.show.plot) {
        plot = [screen = mha::cli::screen_of(request.show.color)](const mha::report::Figure& figure,
                                                                  std::ostream& out) {
          mha::render::terminal(figure, screen, out);
        };
      }
      mha::render::text(document, request.show.full, output.stream(), plot);
    }
    output.finish();
  } catch (const mha::cli::ClosedPipe&) {
    // The reader left; a failed check stays failed.
  }
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  mha::platform::ignore_write_signals();
  try {
    return run({argv + 1, argv + argc});
  } catch (const mha::cli::ClosedPipe&) {
    return kDone;
  } catch (const std::invalid_argument& e) {
    return complain(e.what(), kWrongRequest);
  } catch (const std::bad_alloc&) {
    return complain("out of memory", kFailed);
  } catch (const std::exception& e) {
    return complain(e.what(), kFailed);
  }
}
