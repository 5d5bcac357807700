#include "input/quoted_key.h"

#include <nlohmann/json.hpp>

namespace mha::input {

std::string quoted_key(std::string_view key) {
  constexpr std::size_t kLongest = 40;
  // Not as bytes that might be half a character: escapes are harmless on any terminal.
  const std::string quoted = nlohmann::json(std::string(key.substr(0, kLongest)))
                                 .dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  return key.size() > kLongest ? quoted.substr(0, quoted.size() - 1) + "…\"" : quoted;
}

}  // namespace mha::input
