#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mha::text {

/// `; did you mean 'weights'?` when one of the known words is a slip or two away from `word` or begins with
/// it, otherwise nothing.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);

}  // namespace mha::text
