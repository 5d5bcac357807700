#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "input/formats/byte_source.h"

namespace mha::input {

/// An entry of a zip archive, as the archive's directory tells it.
struct ZipEntry {
  std::string name;
  std::uint64_t size = 0;
};

/// A zip archive whose entries are stored or deflated, read with libzip. Messages begin with `name`, and are
/// thrown as std::invalid_argument.
class ZipArchive {
 public:
  /// `bytes` has to outlive it. Refuses entries that are encrypted, compressed in another way, or larger than
  /// what deflate can make of their bytes.
  ZipArchive(const ByteSource& bytes, std::string name);
  ZipArchive(const ZipArchive&) = delete;
  ZipArchive& operator=(const ZipArchive&) = delete;
  ~ZipArchive();

  [[nodiscard]] const std::vector<ZipEntry>& entries() const { return entries_; }

  /// Inflates an entry from its beginning on.
  class Stream {
   public:
    /// One at a time, and not beyond the archive's life.
    Stream(const ZipArchive& archive, std::size_t number);
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    ~Stream();

    /// All of `bytes`, following those read before.
    void read(std::span<std::byte> bytes);

    /// The entry has to end here, and its checksum to be right.
    void end();

   private:
    /// How many bytes came, at least one if there are more.
    std::size_t some(std::span<std::byte> bytes);
    [[noreturn]] void refuse(const std::string& why) const;

    struct Handle;
    const ZipArchive& archive_;
    const std::string& entry_;
    std::unique_ptr<Handle> handle_;
  };

 private:
  struct State;
  std::string name_;
  std::unique_ptr<State> state_;
  std::vector<ZipEntry> entries_;
};

}  // namespace mha::input
