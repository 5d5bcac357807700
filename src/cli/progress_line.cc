#include "cli/progress_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "attention/progress.h"
#include "platform/terminal.h"

namespace mha::cli {
namespace {

using namespace std::chrono_literals;

constexpr auto kSilent = 1s;      ///< from the beginning
constexpr auto kBetween = 200ms;  ///< from one line to the next
constexpr int kWidest = 79;

std::string duration(double seconds) {
  const long whole = std::lround(seconds);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

/// One column less than the terminal has: a line that fills it would begin another.
int width_of_line() {
  const int columns = platform::terminal_columns(platform::Stream::kError);
  return columns == 0 ? kWidest : std::min(columns - 1, kWidest);
}

/// Writes over the line before, with blanks where that was longer, which every terminal understands. The
/// cursor goes back to its beginning: what a shell prints after an interrupt stands there.
void write_line(const std::string& text) {
  const int width = width_of_line();
  std::fprintf(stderr, "\r%-*.*s\r", width, width, text.c_str());
}

}  // namespace

ProgressLine::ProgressLine()
    : on_terminal_(platform::is_terminal(platform::Stream::kError)), start_(Clock::now()), last_(start_) {
  attention::listen_to_progress([this](double done, double total) { show(done, total); });
}

ProgressLine::~ProgressLine() {
  attention::listen_to_progress({});
  clear();
}

void ProgressLine::make_way() {
  clear();
  if (platform::is_terminal(platform::Stream::kOutput)) on_terminal_ = false;
}

void ProgressLine::show(double done, double total) {
  if (!on_terminal_ || done <= 0.0) return;
  const Clock::time_point now = Clock::now();
  if (now - start_ < kSilent || now - last_ < kBetween) return;
  last_ = now;
  shown_ = true;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const double rate = done / seconds;
  write_line(fmt::format("mha: {:.0f} % done, {} left, {:.0f} million query-key pairs a second",
                         100.0 * done / total, duration((total - done) / rate), rate * 1e-6));
}

void ProgressLine::clear() {
  if (shown_) write_line("");
  shown_ = false;
}

}  // namespace mha::cli
