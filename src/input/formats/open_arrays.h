#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "input/formats/array_file.h"
#include "input/formats/byte_source.h"

namespace mha::input {

/// The file at `path`, a .json, .npy, .npz or .safetensors, recognised by its content; or the files of a
/// checkpoint: an index *.safetensors.index.json, or a directory with one, or with .safetensors files. A
/// regular file is read in pieces as they are needed, a pipe or standard input (`-`) as a whole. `name` is
/// what messages call it:
/// `--input 'm.npz'`.
std::unique_ptr<ArrayFile> open_arrays(const std::string& path, const std::string& name);

/// The same for a file that is in memory, and stays there while the result lives: for tests.
std::unique_ptr<ArrayFile> arrays_of(std::span<const std::byte> content, const std::string& name);

// The readers of each format. An array of a dtype that is not read is listed, and refused when it is read.

/// A JSON object of arrays: under each key lists in lists of numbers, or a list of strings; a number, a
/// string, true or false; or an object, whose members are called OUTER.NAME. A list alone is one array
/// without a name. `heads`, a list of objects, holds the arrays `heads[0].Q`, … and the names
/// `heads[0].name`, …. All of it is read at once.
std::unique_ptr<ArrayFile> json_arrays(const ByteSource& bytes, const std::string& name);

/// The same of an answer to an exercise: a number may stand where a list may, and there are no strings and no
/// `heads`.
std::unique_ptr<ArrayFile> json_answers(std::string_view text, const std::string& name);

/// The one array of a .npy file.
std::unique_ptr<ArrayFile> npy_file(std::unique_ptr<ByteSource> bytes, const std::string& name);

/// A .npz file, a zip archive of entries NAME.npy. Of each only the header is read; an array is inflated as a
/// whole, and kept, when it is first read.
std::unique_ptr<ArrayFile> npz_file(std::unique_ptr<ByteSource> bytes, const std::string& name);

/// Whether the name is that of the index of a checkpoint in several files.
bool is_index(const std::string& path);

/// The arrays of all files that an index at `path` names, or that lie in the directory there. Only what is
/// asked for is read. Refuses an index that leads to files elsewhere; an array whose file is not there is
/// refused when it is read.
std::unique_ptr<ArrayFile> sharded_file(const std::string& path, const std::string& name);

/// A .safetensors file.
std::unique_ptr<ArrayFile> safetensors_file(std::unique_ptr<ByteSource> bytes, const std::string& name);

}  // namespace mha::input
