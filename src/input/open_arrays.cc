#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "input/array_file.h"
#include "input/byte_source.h"
#include "input/npy_file.h"

namespace mha::input {
namespace {

std::unique_ptr<ArrayFile> told_apart(std::unique_ptr<ByteSource> bytes, const std::string& name) {
  if (bytes->size() == 0) throw std::invalid_argument(name + ": is empty");
  std::array<char, 9> start{};
  const std::size_t size = std::min<std::uint64_t>(bytes->size(), start.size());
  bytes->read(0, std::as_writable_bytes(std::span(start)).first(size));
  const std::string_view text(start.data(), size);
  if (text.starts_with("\x93NUMPY")) return npy_file(std::move(bytes), name);
  throw std::invalid_argument(name + ": is neither JSON nor a .npy, .npz or .safetensors file");
}

}  // namespace

std::unique_ptr<ArrayFile> open_arrays(const std::string& path, const std::string& name) {
  return told_apart(file_bytes(path, name), name);
}

std::unique_ptr<ArrayFile> arrays_of(std::span<const std::byte> content, const std::string& name) {
  return told_apart(memory_bytes(content, name), name);
}

}  // namespace mha::input
