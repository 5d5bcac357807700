#pragma once

#include <string>
#include <string_view>

namespace mha::text {

/// The text between quotes for a message of one line: what would move the cursor or turn the direction of
/// reading, and bytes that are not UTF-8, are shown as \xNN; a very long text is cut.
std::string in_quotes(std::string_view text);

/// The same between double quotes, for a key of a file.
std::string quoted_key(std::string_view key);

/// The whole text without quotes, the same bytes shown as \xNN.
std::string on_one_line(std::string_view text);

/// Between single quotes, as bash and zsh read it.
std::string single_quoted(std::string_view text);

/// The text as a shell reads one word: as it is where that will do, otherwise between single quotes.
std::string shell_word(std::string_view text);

}  // namespace mha::text
