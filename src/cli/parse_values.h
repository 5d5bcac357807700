#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Option values from text, all of it or an error: no leading blanks, no `12abc`, no `nan`, no `-1` that
/// turns into 2^64 − 1. Every function throws std::invalid_argument naming the option, the text given
/// and what is allowed.
namespace mha::cli {

/// The largest whole number that a 64-bit size can hold, 2^63 − 1.
inline constexpr std::uint64_t kLargestWhole = (std::uint64_t{1} << 63) - 1;

/// The parts of a list, with commas between; at least one, which may be empty.
std::vector<std::string_view> at_commas(std::string_view text);

/// A whole number from `least` to `most`, decimal digits only.
std::uint64_t parse_count(std::string_view option, std::string_view text, std::uint64_t least,
                          std::uint64_t most);

/// One or more whole numbers separated by commas.
std::vector<std::uint64_t> parse_counts(std::string_view option, std::string_view text, std::uint64_t least,
                                        std::uint64_t most);

/// A finite decimal number, in whichever locale.
double parse_number(std::string_view option, std::string_view text);

/// One of `choices`.
std::string parse_choice(std::string_view option, std::string_view text,
                         const std::vector<std::string>& choices);

}  // namespace mha::cli
