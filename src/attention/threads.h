#pragma once

#include <functional>

namespace mha::attention {

/// The number of threads that a call may use: what was set, or else as many as there are processors for
/// this process. No result depends on it.
int threads();

/// Sets that number; 0 goes back to the processors. For the whole process, as it is the machine that is
/// shared, not a call: not to be changed while a call runs.
void set_threads(int count);

/// Runs `work` on `count` threads at once, the calling one among them, and returns when all are done. The
/// threads live as long as the call: starting one costs some 20 µs, and a program that mostly multiplies
/// 6 × 2 matrices should not keep a pool. With fewer threads to be had than asked for, it does with those.
/// Rethrows the first exception that `work` threw.
void on_threads(int count, const std::function<void()>& work);

}  // namespace mha::attention
