#pragma once

#include <array>
#include <vector>

#include "commands/command.h"
#include "report/report.h"

namespace mha::commands {

/// The lesson's standalone scripts, in the lesson's order.
enum class LessonScript { kMultiHeadWeights, kHeadConcatenation, kFilterBankIdentity };
inline constexpr std::array kLessonScriptNames = {"multi_head_weights", "head_concatenation",
                                                  "filter_bank_identity"};
constexpr text::Names names_of(LessonScript) { return kLessonScriptNames; }

/// Runs those scripts, in that order; all where none is named.
report::Document run(const std::vector<LessonScript>& scripts);

extern const Command kRun;

}  // namespace mha::commands
