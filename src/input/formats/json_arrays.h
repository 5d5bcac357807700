#pragma once

#include <memory>
#include <string>

#include "input/formats/array_file.h"
#include "input/formats/byte_source.h"

namespace mha::input {

/// A JSON object of arrays as an ArrayFile: under each key lists in lists of numbers, or a list of strings.
/// `heads`, a list of objects, holds the arrays `heads[0].Q`, … and the names `heads[0].name`, …. All of it
/// is read at once. Throws as `open_arrays` does.
std::unique_ptr<ArrayFile> json_arrays(const ByteSource& bytes, const std::string& name);

}  // namespace mha::input
