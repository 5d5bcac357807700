#pragma once

#include <string>
#include <string_view>

namespace mha::cli {

/// Between single quotes, as bash and zsh read it.
std::string single_quoted(std::string_view text);

/// The text as a shell reads one word: as it is where that will do, otherwise between quotes.
std::string shell_word(std::string_view text);

}  // namespace mha::cli
