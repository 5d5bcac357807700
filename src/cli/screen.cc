#include "cli/screen.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

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
  return !term.empty() && term != "dumb" && ::isatty(STDOUT_FILENO) == 1;
}

}  // namespace

render::Screen screen(const std::string& color) {
  render::Screen screen;
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) screen.columns = size.ws_col;
  if (wants_colors(color)) {
    const std::string_view depth = variable("COLORTERM");
    screen.colors = depth == "truecolor" || depth == "24bit" ? render::Colors::k24Bit : render::Colors::k256;
  }
  return screen;
}

}  // namespace mha::cli
