#include "input/formats/place.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "input/formats/shape.h"

namespace mha::input {

std::string quoted_key(std::string_view key) {
  constexpr std::size_t kLongest = 40;
  // Not as bytes that might be half a character: escapes are harmless on any terminal.
  const std::string quoted = nlohmann::json(std::string(key.substr(0, kLongest)))
                                 .dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  return key.size() > kLongest ? quoted.substr(0, quoted.size() - 1) + "…\"" : quoted;
}

std::string place_of(const std::string& file, const std::string& array) {
  return array.empty() ? file : fmt::format("{}: {}", file, quoted_key(array));
}

std::string place_of(const std::string& file, const std::string& array, std::span<const Index> index) {
  std::string place = place_of(file, array);
  for (const char* separator = array.empty() ? ": " : ", "; const std::string& part : index_words(index)) {
    place += separator + part;
    separator = ", ";
  }
  return place;
}

void refuse(const std::string& place, const std::string& why) {
  throw std::invalid_argument(fmt::format("{}: {}", place, why));
}

}  // namespace mha::input
