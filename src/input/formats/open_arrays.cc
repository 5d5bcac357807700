#include "input/formats/open_arrays.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include "input/formats/foreign_files.h"

namespace mha::input {
namespace {

/// A byte that no text has: those of a .safetensors file's length, unless it is absurd, begin or end so.
bool is_binary(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return c == '\0' || c == '\x7f' || (c > 0 && c < '\t'); });
}

/// Anything that a JSON text, or what is meant to be one, can begin with: its reader says best what is wrong.
bool begins_as_json(std::string_view start) {
  const std::size_t first = start.find_first_not_of(" \t\r\n");
  return first == std::string_view::npos || start.starts_with("\xEF\xBB\xBF") ||
         std::string_view("{[\"'-.0123456789tfnNI").find(start[first]) != std::string_view::npos;
}

std::unique_ptr<ArrayFile> open_by_content(std::unique_ptr<ByteSource> bytes, const std::string& name) {
  constexpr std::size_t kLengthBytes = 8;
  if (bytes->size() == 0) throw std::invalid_argument(name + ": is empty");
  std::array<char, kTellingBytes> buffer{};
  const std::size_t size = std::min<std::uint64_t>(bytes->size(), buffer.size());
  bytes->read(0, std::as_writable_bytes(std::span(buffer)).first(size));
  const std::string_view start(buffer.data(), size);

  if (start.starts_with("\x93NUMPY")) return npy_file(std::move(bytes), name);
  // The first is an entry's beginning, the second the end of an archive without any.
  if (start.starts_with("PK\x03\x04") || start.starts_with("PK\x05\x06"))
    return npz_file(std::move(bytes), name);
  const bool text = !is_binary(start.substr(0, kLengthBytes)) && begins_as_json(start);
  if (!text && start.size() > kLengthBytes && start[kLengthBytes] == '{')
    return safetensors_file(std::move(bytes), name);
  if (const std::string foreign = foreign_format(start); !foreign.empty())
    throw std::invalid_argument(fmt::format("{}: is {}", name, foreign));
  if (text) return json_arrays(*bytes, name);
  throw std::invalid_argument(name + ": is neither JSON nor a .npy, .npz or .safetensors file");
}

std::unique_ptr<ArrayFile> require_arrays(std::unique_ptr<ArrayFile> file) {
  if (file->arrays().empty()) throw std::invalid_argument(file->name() + ": holds no array");
  return file;
}

}  // namespace

std::unique_ptr<ArrayFile> open_arrays(const std::string& path, const std::string& name) {
  std::error_code ignored;
  if (is_index(path) || std::filesystem::is_directory(path, ignored))
    return require_arrays(sharded_file(path, name));
  return require_arrays(open_by_content(file_bytes(path, name), name));
}

std::unique_ptr<ArrayFile> arrays_of(std::span<const std::byte> content, const std::string& name) {
  return require_arrays(open_by_content(memory_bytes(content, name), name));
}

}  // namespace mha::input
