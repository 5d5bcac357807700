#pragma once

#include <string>

namespace mha::test {

/// The first line in which two texts differ by more than the last digits of their numbers, for a person to
/// read; empty if there is none. Another processor may round otherwise: numbers agree within 1e-12 (relative
/// above 1), all else to the byte.
std::string difference_beyond_last_digits(const std::string& golden, const std::string& actual);

}  // namespace mha::test
