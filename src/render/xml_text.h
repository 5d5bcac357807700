#pragma once

#include <string>
#include <string_view>

/// Text as XML has it, and HTML's XML syntax.
namespace mha::render {

/// The text with XML's special characters as entities.
std::string escaped(std::string_view showable_text);

}  // namespace mha::render
