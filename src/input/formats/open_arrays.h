#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "input/formats/array_file.h"

namespace mha::input {

/// The file at `path`, a .json, .npy, .npz or .safetensors, told apart by content. It has to be a regular
/// file, since it is read in pieces as they are needed. `name` is what messages call it: `--input 'm.npz'`.
std::unique_ptr<ArrayFile> open_arrays(const std::string& path, const std::string& name);

/// The same for a file that is in memory, and stays there while the result lives: for tests.
std::unique_ptr<ArrayFile> arrays_of(std::span<const std::byte> content, const std::string& name);

}  // namespace mha::input
