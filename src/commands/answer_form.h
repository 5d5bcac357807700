#pragma once

#include <string>
#include <vector>

#include "lessons/09-multi-head-attention/exercises/exercise.h"
#include "report/report.h"

namespace mha::commands {

/// What an exercise's template holds.
lesson09::Answer placeholders(const std::vector<lesson09::Field>& form);

/// An answer as named values, in the order of its form.
report::Object answer_object(const std::vector<lesson09::Field>& form, const lesson09::Answer& answer);

/// The same as the lines of a JSON file, an entry a line.
std::vector<std::string> answer_lines(const std::vector<lesson09::Field>& form,
                                      const lesson09::Answer& answer);

/// Reads an answer of that form from a file. Throws std::invalid_argument, with the name for messages and
/// the place in the file, for anything else.
lesson09::Answer read_answer(const std::vector<lesson09::Field>& form, const std::string& path,
                             const std::string& name);

}  // namespace mha::commands
