#pragma once

#include <memory>
#include <string>

#include "input/formats/array_file.h"
#include "input/formats/byte_source.h"

namespace mha::input {

/// A .npz file, a zip archive of entries NAME.npy, as an ArrayFile. Of each only the header is read; an array
/// is inflated as a whole, and kept, when it is first read. One of a dtype that is not read is listed, and
/// refused then. Throws as `open_arrays` does.
std::unique_ptr<ArrayFile> npz_file(std::unique_ptr<ByteSource> bytes, const std::string& name);

}  // namespace mha::input
