#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace mha::input {

/// Bytes that are read by place. Not a mapping of the file into memory, though that would be as lazy: a file
/// that is cut short while it is mapped ends the program with a signal, where a read says so.
class ByteSource {
 public:
  ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  virtual ~ByteSource();

  [[nodiscard]] virtual std::uint64_t size() const = 0;

  /// The bytes from `offset` on, all of `bytes`. Throws std::invalid_argument, with the name of the file,
  /// when they cannot be had.
  virtual void read(std::uint64_t offset, std::span<std::byte> bytes) const = 0;
};

/// A regular file; or all of a pipe, or of standard input for `-`. Throws std::invalid_argument, `name`
/// first, for one that cannot be opened or is a directory or a device.
std::unique_ptr<ByteSource> file_bytes(const std::string& path, const std::string& name);

/// Bytes in memory, which stay there while the result lives.
std::unique_ptr<ByteSource> memory_bytes(std::span<const std::byte> bytes, const std::string& name);

/// The number that at most 8 bytes write, the least first.
std::uint64_t little_endian(std::span<const std::byte> bytes);

}  // namespace mha::input
