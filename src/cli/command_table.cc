#include "cli/command_table.h"

#include <algorithm>
#include <array>

#include "commands/commands.h"

namespace mha::cli {

std::span<const commands::Command* const> command_table() {
  static constexpr std::array kTable = {
      &commands::kWeights,  &commands::kConcat,  &commands::kParams,  &commands::kFilterbank,
      &commands::kEntropy,  &commands::kRank,    &commands::kRun,     &commands::kVerify,
      &commands::kExercise, &commands::kInspect, &commands::kCompare, &commands::kLayouts,
      &commands::kBench,    &commands::kSample,
  };
  return kTable;
}

const commands::Command* find_command(std::string_view name) {
  const auto table = command_table();
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const commands::Command* c) { return name == c->name; });
  return found == table.end() ? nullptr : *found;
}

}  // namespace mha::cli
