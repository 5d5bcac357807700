#pragma once

#include <memory>
#include <string>

#include "input/formats/array_file.h"
#include "input/formats/byte_source.h"

namespace mha::input {

/// A .safetensors file as an ArrayFile. A tensor of a dtype that is not read (8-bit floats) is listed, and
/// refused when it is read. Throws as `open_arrays` does.
std::unique_ptr<ArrayFile> safetensors_file(std::unique_ptr<ByteSource> bytes, const std::string& name);

}  // namespace mha::input
