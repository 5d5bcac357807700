#pragma once

#include <string>
#include <string_view>

namespace mha::input {

/// A key as a message shows it: between double quotes, control characters escaped, a long one cut.
std::string quoted_key(std::string_view key);

}  // namespace mha::input
