#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Numbers to text and back, the same in every locale. What is not finite has no decimal: writing it throws
/// std::runtime_error.
namespace mha::text {

/// The shortest decimal that reads back to the same double, without an exponent and without `.0` on a
/// whole number; −0 is `0`.
std::string shortest(double value);

/// The value rounded to `places` decimals. What rounds to zero has no sign.
std::string fixed(double value, int places);

/// The shortest text that reads back to the same double, with an exponent where that is shorter: for where
/// a value is looked up, not read in a column.
std::string exact(double value);

/// Three significant digits, or all of a whole number below 100000: for a label with little room.
std::string compact(double value);

/// Appends the shortest decimal that reads back to the same double and looks like no integer: `1.0`, `-0.0`,
/// `1e+30`. Fast: JSON has millions of them.
void append_as_double(double value, std::string& text);

/// The double that all of the text is a decimal of, as `-2.5e3`; no blanks, no `+`, no `nan`, no hexadecimal.
/// An infinity stands for one that is too large or too close to 0 for a double.
std::optional<double> parse_double(std::string_view text);

/// The whole number that all of the text is, decimal digits only. Null beyond 2^64 − 1.
std::optional<std::uint64_t> parse_whole(std::string_view text);

}  // namespace mha::text
