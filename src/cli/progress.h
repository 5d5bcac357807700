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

  /// Results are about to be printed: takes the line away, and keeps it away if they go to a terminal too.
  void make_way();

 private:
  void show(double done, double total);
  void clear();

  using Clock = std::chrono::steady_clock;
  bool on_terminal_;
  bool shown_ = false;
  Clock::time_point start_;
  Clock::time_point last_;
};

}  // namespace mha::cli
