#pragma once

#include <string>

/// Numbers as text, the same bytes in every locale. Throws std::runtime_error for a number that is not
/// finite.
namespace mha::render {

/// The shortest decimal that reads back to the same double, without an exponent and without `.0` on a
/// whole number; −0 is `0`.
std::string shortest(double value);

/// The value rounded to `places` decimals. What rounds to zero has no sign.
std::string fixed(double value, int places);

/// The shortest text that reads back to the same double, with an exponent where that is shorter: for
/// values that are looked up, not read in a column.
std::string exact(double value);

/// Three significant digits, or all of a whole number below 100000: for short labels.
std::string compact(double value);

}  // namespace mha::render
