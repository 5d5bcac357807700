#include "cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <string>

#include "attention/progress.h"

namespace mha::cli {
namespace {

using namespace std::chrono_literals;

constexpr auto kSilent = 1s;        ///< from the beginning
constexpr auto kBetween = 200ms;    ///< from one line to the next
constexpr std::size_t kWidth = 79;  ///< cleared with blanks, which every terminal understands

std::string duration(double seconds) {
  const long whole = std::lround(seconds);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

}  // namespace

ProgressLine::ProgressLine() : on_terminal_(isatty(STDERR_FILENO) == 1), start_(Clock::now()), last_(start_) {
  attention::listen_to_progress([this](double done, double total) { show(done, total); });
}

ProgressLine::~ProgressLine() {
  attention::listen_to_progress({});
  clear();
}

void ProgressLine::make_way() {
  clear();
  if (isatty(STDOUT_FILENO) == 1) on_terminal_ = false;
}

void ProgressLine::show(double done, double total) {
  if (!on_terminal_ || done <= 0.0) return;
  const Clock::time_point now = Clock::now();
  if (now - start_ < kSilent || now - last_ < kBetween) return;
  last_ = now;
  shown_ = true;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const double rate = done / seconds;
  const std::string text = fmt::format("mha: {:.0f} % done, {:.3g} million query-key pairs a second, {} left",
                                       100.0 * done / total, rate * 1e-6, duration((total - done) / rate));
  std::fprintf(stderr, "\r%-*.*s", static_cast<int>(kWidth), static_cast<int>(kWidth), text.c_str());
}

void ProgressLine::clear() {
  if (shown_) std::fprintf(stderr, "\r%*s\r", static_cast<int>(kWidth), "");
  shown_ = false;
}

}  // namespace mha::cli
