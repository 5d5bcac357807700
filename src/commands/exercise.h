#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "commands/command.h"
#include "report/report.h"

namespace mha::commands {

/// Which exercise, and what to do with it. At most one of the flags and `check` may be given.
struct ExerciseOptions {
  int number = 0;  ///< 0 for all of them
  bool hint = false;
  bool form = false;
  bool solution = false;
  bool reset = false;
  std::string check;                  ///< the file of an answer, or empty
  std::filesystem::path solved_file;  ///< where solved ones are noted; empty for nowhere
};

/// The list, or an exercise's task, hint, form, solution or the judgement of an answer; not ok when the
/// answer is not right. A right answer is noted; when that fails, the report says so and nothing else
/// suffers. Throws std::invalid_argument for options that do not go together and for a file that holds no
/// answer, std::runtime_error when what is noted cannot be forgotten.
report::Report exercise(const ExerciseOptions& options);

extern const Command kExercise;

}  // namespace mha::commands
