#pragma once

#include <string>

namespace mha::test {

/// Expects what has to hold of any figure: valid XML with a title and a description, nothing from outside,
/// every number finite and everything within the figure.
void expect_sound(const std::string& svg);

}  // namespace mha::test
