#pragma once

#include <string>
#include <string_view>

/// How a message names something that its reader chose, such as the number of heads, without knowing how: the
/// command line shows it as a flag, `--H`.
namespace mha::text {

inline constexpr char kFieldMark = '\x01';

inline std::string field(std::string_view name) { return kFieldMark + std::string(name); }

/// The message with every field as a flag.
inline std::string with_flags(std::string_view message) {
  std::string shown;
  for (const char c : message) shown += c == kFieldMark ? "--" : std::string(1, c);
  return shown;
}

}  // namespace mha::text
