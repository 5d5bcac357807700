#include "cli/shared_options.h"

namespace mha::cli {
namespace {

constexpr int kMostThreads = 1024;

}  // namespace

void shared_options(const Command& command, Options& options, Request& request) {
  options.choice("--format", request.format, {"text", "json"}, "how to print the result");
  options.flag("--full", request.full,
               "print every row and column; without it at most 8 of each (JSON is always whole)");
  options.whole("--threads", request.threads, kMostThreads, "N",
                "threads to compute with, the numbers being the same (default: one for each processor)");
  if (command.draws) {
    options.flag("--plot", request.plot, "draw the figures in the terminal too");
    options.path("--svg", request.svg, "DIR", "write the figures there, each as NAME.svg");
  }
  options.path("--html", request.html, "FILE", "write all of it there as one page");
  if (command.draws) {
    options.choice("--color", request.color, {"auto", "always", "never"}, "colours of --plot");
  }
}

}  // namespace mha::cli
