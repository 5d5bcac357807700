#pragma once

#include <filesystem>
#include <set>

/// Which exercises have been solved, kept in a small file between runs: a number a line.
namespace mha::state {

/// Where the file is: mha/lesson-09 under XDG_STATE_HOME, or under .local/state in HOME (XDG Base Directory
/// Specification 0.8, by which a path that is not absolute does not count). Empty when neither says.
/// Either variable may be null.
std::filesystem::path file(const char* xdg_state_home, const char* home);

/// The exercises noted. A missing or broken file counts as far as it can be understood: ticks are not
/// worth an error.
std::set<int> solved(const std::filesystem::path& file);

/// Notes an exercise, and makes the directories if necessary. The file is replaced whole or not at all, and
/// programs that do so at the same time keep each other's notes. Throws std::system_error when it cannot be
/// written.
void note(const std::filesystem::path& file, int exercise);

/// Forgets one exercise, or all of them for 0. Returns how many were noted before. Throws
/// std::system_error when the file is there and cannot be changed.
std::size_t forget(const std::filesystem::path& file, int exercise);

}  // namespace mha::state
