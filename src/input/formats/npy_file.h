#pragma once

#include <memory>
#include <string>

#include "input/formats/array_file.h"
#include "input/formats/byte_source.h"

namespace mha::input {

/// A .npy file as an ArrayFile of one array. Throws as `open_arrays` does.
std::unique_ptr<ArrayFile> npy_file(std::unique_ptr<ByteSource> bytes, const std::string& name);

}  // namespace mha::input
