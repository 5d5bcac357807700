#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace mha::input {

/// Parses JSON (RFC 8259) and refuses what parsers like to overlook: two equal keys in an object, a byte
/// order mark, a NUL, text after the value, numbers beyond a double, NaN and Infinity, more than 16 levels.
/// `name` is what messages call the file. Throws std::invalid_argument with the line and the column.
nlohmann::json strict_json(const std::string& text, const std::string& name);

}  // namespace mha::input
