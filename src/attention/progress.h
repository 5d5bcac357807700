#pragma once

#include <functional>

/// How far long work has come, in query–key pairs: said by whoever does the work or waits for it, heard by
/// whoever has somewhere to show it. For the whole process and its main thread, as there is one terminal.
namespace mha::attention {

/// The pairs in the rows first … first + n − 1 of a causal head: row t (0-based) sees t + 1 keys.
inline double causal_pairs(double first, double n) { return n * (first + 0.5 * (n + 1.0)); }

/// There is work on that many more pairs.
void plan_pairs(double pairs);

/// That many of them are done.
void finish_pairs(double pairs);

/// Calls `heard` with the pairs done and planned whenever some are done. Empty: nobody listens.
void listen_to_progress(std::function<void(double done, double planned)> heard);

}  // namespace mha::attention
