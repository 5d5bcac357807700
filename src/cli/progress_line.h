#pragma once

#include <chrono>

namespace mha::cli {

/// A line on standard error that says how far long work has come: done, rate, time left. Only on a
/// terminal, only when the work has lasted a second, and gone when it ends.
class ProgressLine {
 public:
  /// Starts to listen (attention/progress.h).
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Something else is about to be said on standard error: takes the line away for now.
  void clear();

  /// Results are about to be printed: takes the line away, and keeps it away if they go to a terminal too.
  void make_way();

 private:
  void show(double done, double total);

  using Clock = std::chrono::steady_clock;
  bool on_terminal_;
  bool shown_ = false;
  Clock::time_point start_;
  Clock::time_point last_;
};

}  // namespace mha::cli
