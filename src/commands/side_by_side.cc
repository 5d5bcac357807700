#include "commands/side_by_side.h"

#include <fmt/format.h>

namespace mha::commands {

std::string side_by_side(std::string_view letter, Index H) {
  if (H == 1) return fmt::format("[{}1]", letter);
  return fmt::format("[{0}1, {1}{0}{2}]", letter, H == 2 ? "" : "..., ", H);
}

}  // namespace mha::commands
