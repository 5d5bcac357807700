#include "cli/screen.h"

#include <cstdlib>
#include <string_view>

#include "platform/terminal.h"

namespace mha::cli {
namespace {

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

bool wants_colors(const std::string& color) {
  if (color != "auto") return color == "always";
  if (!variable("NO_COLOR").empty()) return false;
  const std::string_view term = variable("TERM");
  return !term.empty() && term != "dumb" && platform::is_terminal(platform::Stream::kOutput);
}

}  // namespace

render::Screen screen(const std::string& color) {
  render::Screen screen;
  const int columns = platform::terminal_columns(platform::Stream::kOutput);
  if (columns > 0) screen.columns = columns;
  if (wants_colors(color)) {
    const std::string_view depth = variable("COLORTERM");
    screen.colors = depth == "truecolor" || depth == "24bit" ? render::Colors::k24Bit : render::Colors::k256;
  }
  return screen;
}

}  // namespace mha::cli
