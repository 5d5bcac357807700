#include "commands/even_heads.h"

#include <fmt/format.h>

#include <stdexcept>

namespace mha::commands {

void require_even_heads(const std::string& heads_option, analysis::Count H, const std::string& width_option,
                        analysis::Count width) {
  if (width % H == 0) return;
  throw std::invalid_argument(fmt::format("{0} {1}: {1} heads do not divide {2} {3} evenly (remainder {4})",
                                          heads_option, H, width_option, width, width % H));
}

}  // namespace mha::commands
