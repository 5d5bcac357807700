#include "cli/shared_options.h"

#include <fmt/format.h>

#include <cstdlib>
#include <string_view>

#include "platform/terminal.h"

namespace mha::cli {
namespace {

constexpr int kMostThreads = 1024;

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

bool wants_colors(ColorChoice color) {
  if (color != ColorChoice::kAuto) return color == ColorChoice::kAlways;
  if (!variable("NO_COLOR").empty()) return false;
  const std::string_view term = variable("TERM");
  return !term.empty() && term != "dumb" && platform::is_terminal(platform::Stream::kOutput);
}

}  // namespace

void declare_shared(options::Options& options, const commands::Command& command, SharedOptions& chosen) {
  options.choice("--format", chosen.format, "how to print the result").only_shows();
  options
      .flag("--full", chosen.full,
            "print every row and column; without it at most 8 of each (JSON is always whole)")
      .only_shows();
  options.add("--threads", chosen.threads, "N", "threads to compute with; results are identical")
      .default_is("one for each processor")
      .set = [&chosen](std::string_view text) {
    if (!options::read(text, chosen.threads) || *chosen.threads > kMostThreads)
      options::refuse_value("--threads", text, fmt::format("a whole number from 1 to {}", kMostThreads));
  };
  if (command.draws) {
    options.flag("--plot", chosen.plot, "draw the figures in the terminal too").only_shows();
    options
        .output("--svg", chosen.svg, options::Kind::kDirectory, "write the figures there, each as NAME.svg")
        .only_shows();
  }
  options.output("--html", chosen.html, options::Kind::kFile, "write everything there as one page")
      .only_shows();
  options
      .output("--output", chosen.output, options::Kind::kFile,
              "write the result's arrays there as .npz, as --format npz requires; - is standard output")
      .shows_only = !command.needs_output;
  if (command.draws) options.choice("--color", chosen.color, "colours of --plot").only_shows();
}

render::Screen screen_of(ColorChoice color) {
  render::Screen screen;
  const int columns = platform::terminal_columns(platform::Stream::kOutput);
  if (columns > 0) screen.columns = static_cast<std::size_t>(columns);
  if (wants_colors(color)) {
    const std::string_view depth = variable("COLORTERM");
    screen.colors = depth == "truecolor" || depth == "24bit" ? render::Colors::k24Bit : render::Colors::k256;
  }
  return screen;
}

}  // namespace mha::cli
