#pragma once

#include <zlib.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "input/formats/byte_source.h"

namespace mha::input {

/// An entry of a zip archive, as the archive's directory describes it.
struct ZipEntry {
  std::string name;
  std::uint64_t size = 0;
  std::uint64_t stored_size = 0;  ///< of its bytes in the archive
  std::uint64_t offset = 0;       ///< of its local header
  std::uint32_t crc = 0;
  std::uint16_t flags = 0;
  std::uint16_t method = 0;  ///< 0: stored, 8: deflated
};

/// A zip archive (PKWARE's APPNOTE 6.3, zip64 included) whose entries are stored or deflated. Messages begin
/// with `name`, and are thrown as std::invalid_argument.
class ZipArchive {
 public:
  /// `bytes` must outlive it. Refuses a directory that is not where the archive's end says, and entries that
  /// are encrypted, compressed by another method, outside the file, overlapping, or larger than what deflate
  /// can make of their bytes.
  ZipArchive(const ByteSource& bytes, std::string name);

  [[nodiscard]] const ByteSource& bytes() const { return bytes_; }
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::vector<ZipEntry>& entries() const { return entries_; }

 private:
  const ByteSource& bytes_;
  std::string name_;
  std::vector<ZipEntry> entries_;
};

/// The content of an entry, from its beginning on.
class ZipStream {
 public:
  /// Neither may be gone before the stream. Refuses a local header that contradicts the directory.
  ZipStream(const ZipArchive& archive, const ZipEntry& entry);
  ZipStream(const ZipStream&) = delete;
  ZipStream& operator=(const ZipStream&) = delete;
  ~ZipStream();

  /// Fills `bytes` with those that follow the ones read before.
  void read(std::span<std::byte> bytes);

  /// Refuses an entry that does not end here, or whose checksum is wrong.
  void end();

 private:
  std::uint64_t data_offset() const;
  /// Returns how many bytes there were: fewer than asked for at the end.
  std::size_t copy_stored(std::span<std::byte> bytes);
  std::size_t inflate_some(std::span<std::byte> bytes);
  [[noreturn]] void refuse(std::string_view why) const;

  const ZipArchive& archive_;
  const ZipEntry& entry_;
  std::uint64_t at_ = 0;    ///< of the bytes in the archive that come next
  std::uint64_t left_ = 0;  ///< how many of them are the entry's
  uLong crc_ = 0;
  bool ended_ = false;  ///< deflate's last block was read
  std::vector<std::byte> buffer_;
  z_stream inflater_{};
};

}  // namespace mha::input
