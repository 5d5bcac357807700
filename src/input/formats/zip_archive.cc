#include "input/formats/zip_archive.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "input/formats/place.h"
#include "input/memory.h"

namespace mha::input {
namespace {

constexpr std::uint16_t kStored = 0;
constexpr std::uint16_t kDeflated = 8;
constexpr std::uint16_t kEncrypted = 1 << 0 | 1 << 6 | 1 << 13;  // flags: in any of three ways
constexpr std::uint16_t kSizesFollow = 1 << 3;                   // flag: the local header has none
/// At best, two bits of deflate stand for 258 bytes.
constexpr std::uint64_t kMostInflated = 1032;
/// In a field of two or four bytes: zip64 has the value in another place.
constexpr std::uint64_t kElsewhere16 = 0xFFFF;
constexpr std::uint64_t kElsewhere32 = 0xFFFFFFFF;

constexpr std::string_view kLocalMark = "PK\x03\x04";
constexpr std::string_view kEntryMark = "PK\x01\x02";
constexpr std::string_view kEndMark = "PK\x05\x06";
constexpr std::string_view kLocatorMark = "PK\x06\x07";
constexpr std::string_view kEnd64Mark = "PK\x06\x06";
constexpr std::size_t kLocalSize = 30;
constexpr std::size_t kEntrySize = 46;
constexpr std::size_t kEndSize = 22;
constexpr std::size_t kLocatorSize = 20;
constexpr std::size_t kEnd64Size = 56;

/// Little-endian fields, one after the other. Beyond the last there are zeros, and `ok()` is false.
class Fields {
 public:
  explicit Fields(std::span<const std::byte> bytes) : bytes_(bytes) {}

  std::span<const std::byte> take(std::size_t size) {
    ok_ = ok_ && size <= bytes_.size();
    if (!ok_) return {};
    const auto taken = bytes_.first(size);
    bytes_ = bytes_.subspan(size);
    return taken;
  }
  std::uint64_t number(std::size_t size) { return little_endian(take(size)); }
  std::uint16_t two() { return static_cast<std::uint16_t>(number(2)); }
  std::uint32_t four() { return static_cast<std::uint32_t>(number(4)); }
  void skip(std::size_t size) { static_cast<void>(take(size)); }
  bool mark(std::string_view mark) {
    const auto bytes = take(mark.size());
    return std::equal(bytes.begin(), bytes.end(), mark.begin(), mark.end(),
                      [](std::byte byte, char c) { return byte == static_cast<std::byte>(c); });
  }
  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] bool empty() const { return bytes_.empty(); }

 private:
  std::span<const std::byte> bytes_;
  bool ok_ = true;
};

[[noreturn]] void refuse_archive(const std::string& name, std::string_view why) {
  refuse(name, fmt::format("cannot be read as a zip archive: {}", why));
}

/// Replaces those of the values that are elsewhere by those of the zip64 field among an entry's extra fields.
/// False if they are not there.
bool read_zip64(Fields extra, std::initializer_list<std::uint64_t*> values) {
  constexpr std::uint16_t kZip64 = 1;
  const auto elsewhere = [](const std::uint64_t* value) { return *value == kElsewhere32; };
  if (std::none_of(values.begin(), values.end(), elsewhere)) return true;
  while (extra.ok() && !extra.empty()) {
    const std::uint16_t kind = extra.two();
    Fields field(extra.take(extra.two()));
    if (kind != kZip64) continue;
    for (std::uint64_t* const value : values) {
      if (elsewhere(value)) *value = field.number(8);
    }
    return field.ok();
  }
  return false;
}

/// Where the directory is, and how many entries it has.
struct Directory {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::uint64_t entries = 0;
  std::uint64_t end = 0;  ///< where it has to end
};

Directory find_directory(const ByteSource& archive, const std::string& name) {
  // The end record is followed by a comment, and nothing else.
  std::vector<std::byte> tail(std::min<std::uint64_t>(archive.size(), kEndSize + 0xFFFF));
  archive.read(archive.size() - tail.size(), tail);
  Directory directory;
  bool found = false;
  for (std::size_t comment = 0; !found && comment + kEndSize <= tail.size(); ++comment) {
    directory.end = archive.size() - kEndSize - comment;
    Fields end{std::span(tail).last(kEndSize + comment)};
    if (!end.mark(kEndMark)) continue;
    const std::uint64_t disks = end.four();
    const std::uint64_t on_this_disk = end.two();
    directory.entries = end.two();
    directory.size = end.four();
    directory.offset = end.four();
    found = end.two() == comment && (disks == 0 || disks == kElsewhere32) &&
            (on_this_disk == directory.entries || on_this_disk == kElsewhere16);
  }
  if (!found) refuse_archive(name, "it does not end as a whole one does");

  // In zip64 a locator before the end record says where the record is that has the real values. Python writes
  // one even where the values would fit.
  std::array<std::byte, kLocatorSize> locator_bytes{};
  std::array<std::byte, kEnd64Size> end_bytes{};
  if (directory.end < kLocatorSize + kEnd64Size) return directory;
  archive.read(directory.end - kLocatorSize, locator_bytes);
  Fields locator(locator_bytes);
  if (!locator.mark(kLocatorMark)) return directory;
  locator.skip(4);  // the disk
  const std::uint64_t end_offset = locator.number(8);
  if (end_offset > directory.end - kLocatorSize - kEnd64Size)
    refuse_archive(name, "its zip64 end is not where it should be");
  archive.read(end_offset, end_bytes);
  Fields end(end_bytes);
  if (!end.mark(kEnd64Mark)) refuse_archive(name, "its zip64 end is not where it should be");
  end.skip(8 + 2 + 2);  // the record's size, versions
  const std::uint64_t disks = end.number(8);
  const std::uint64_t on_this_disk = end.number(8);
  directory.entries = end.number(8);
  directory.size = end.number(8);
  directory.offset = end.number(8);
  directory.end = end_offset;
  if (disks != 0 || on_this_disk != directory.entries) refuse_archive(name, "it is one of several parts");
  return directory;
}

/// Every entry must be before the directory, and none within another: else a small file could claim to be
/// huge.
void check_places(const std::vector<ZipEntry>& entries, std::uint64_t directory, const std::string& name) {
  std::vector<const ZipEntry*> sorted;
  for (const ZipEntry& entry : entries) sorted.push_back(&entry);
  std::sort(sorted.begin(), sorted.end(),
            [](const ZipEntry* a, const ZipEntry* b) { return a->offset > b->offset; });
  std::uint64_t next = directory;
  for (const ZipEntry* const entry : sorted) {
    const std::uint64_t header = kLocalSize + entry->name.size();
    if (entry->offset > next || next - entry->offset < header ||
        entry->stored_size > next - entry->offset - header)
      refuse(place_of(name, entry->name), "its bytes are not where they should be");
    next = entry->offset;
  }
}

std::vector<ZipEntry> read_directory(const ByteSource& archive, const std::string& name) {
  const Directory directory = find_directory(archive, name);
  if (directory.offset > directory.end || directory.size != directory.end - directory.offset)
    refuse_archive(name, "its directory is not where it should be");
  if (directory.entries > directory.size / kEntrySize) refuse_archive(name, "its directory is cut short");
  require_memory(name, 2.0 * static_cast<double>(directory.size));
  std::vector<ZipEntry> entries;
  std::vector<std::byte> bytes(directory.size);
  archive.read(directory.offset, bytes);
  Fields fields(bytes);
  for (std::uint64_t i = 0; i < directory.entries; ++i) {
    ZipEntry entry;
    if (!fields.mark(kEntryMark)) refuse_archive(name, fmt::format("entry {} is missing", i + 1));
    fields.skip(2 + 2);  // versions
    entry.flags = fields.two();
    entry.method = fields.two();
    fields.skip(2 + 2);  // time and date
    entry.crc = fields.four();
    entry.stored_size = fields.four();
    entry.size = fields.four();
    const std::size_t name_size = fields.two();
    const std::size_t extra_size = fields.two();
    const std::size_t comment_size = fields.two();
    fields.skip(2 + 2 + 4);  // disk, attributes
    entry.offset = fields.four();
    const auto entry_name = fields.take(name_size);
    entry.name.assign(reinterpret_cast<const char*>(entry_name.data()), entry_name.size());
    const Fields extra(fields.take(extra_size));
    fields.skip(comment_size);
    if (!fields.ok()) refuse_archive(name, "its directory is cut short");

    const std::string place = place_of(name, entry.name);
    if (!read_zip64(extra, {&entry.size, &entry.stored_size, &entry.offset}))
      refuse(place, "its zip64 sizes are missing");
    if ((entry.flags & kEncrypted) != 0) refuse(place, "is encrypted");
    if (entry.method != kStored && entry.method != kDeflated)
      refuse(place, fmt::format("compression method {}; 0 (stored) and 8 (deflated) are read", entry.method));
    if (entry.size / kMostInflated > entry.stored_size)
      refuse(place, fmt::format("{} bytes cannot be deflated into {}", entry.size, entry.stored_size));
    entries.push_back(std::move(entry));
  }
  if (!fields.empty()) refuse_archive(name, "its directory has more entries than its end says");
  check_places(entries, directory.offset, name);
  return entries;
}

}  // namespace

ZipArchive::ZipArchive(const ByteSource& bytes, std::string name)
    : bytes_(bytes), name_(std::move(name)), entries_(read_directory(bytes_, name_)) {}

ZipStream::ZipStream(const ZipArchive& archive, const ZipEntry& entry)
    : archive_(archive), entry_(entry), at_(data_offset()), left_(entry.stored_size) {
  constexpr int kRawDeflate = -15;
  if (entry.method == kDeflated && ::inflateInit2(&inflater_, kRawDeflate) != Z_OK) throw std::bad_alloc();
}

ZipStream::~ZipStream() {
  if (entry_.method == kDeflated) ::inflateEnd(&inflater_);
}

std::uint64_t ZipStream::data_offset() const {
  std::array<std::byte, kLocalSize> bytes{};
  archive_.bytes().read(entry_.offset, bytes);
  Fields fields(bytes);
  if (!fields.mark(kLocalMark)) refuse("its header is not where it should be");
  fields.skip(2);  // version
  const std::uint16_t flags = fields.two();
  const std::uint16_t method = fields.two();
  fields.skip(2 + 2);  // time and date
  const std::uint32_t crc = fields.four();
  std::uint64_t stored_size = fields.four();
  std::uint64_t size = fields.four();
  std::vector<std::byte> name(fields.two());
  std::vector<std::byte> extra(fields.two());
  const std::uint64_t data = entry_.offset + kLocalSize + name.size() + extra.size();
  if (data > archive_.bytes().size() || entry_.stored_size > archive_.bytes().size() - data)
    refuse("its bytes are not where they should be");
  archive_.bytes().read(entry_.offset + kLocalSize, name);
  archive_.bytes().read(entry_.offset + kLocalSize + name.size(), extra);
  const bool same_name = std::equal(name.begin(), name.end(), entry_.name.begin(), entry_.name.end(),
                                    [](std::byte byte, char c) { return byte == static_cast<std::byte>(c); });
  bool same = same_name && method == entry_.method && (flags & kEncrypted) == 0;
  if ((flags & kSizesFollow) == 0) {
    same = same && read_zip64(Fields(extra), {&size, &stored_size}) && size == entry_.size &&
           stored_size == entry_.stored_size && crc == entry_.crc;
  }
  if (!same) refuse("its header contradicts the archive's directory");
  return data;
}

void ZipStream::read(std::span<std::byte> bytes) {
  const std::size_t size = entry_.method == kStored ? copy_stored(bytes) : inflate_some(bytes);
  crc_ = ::crc32_z(crc_, reinterpret_cast<const Bytef*>(bytes.data()), size);
  if (size < bytes.size()) refuse("ends before it should");
}

void ZipStream::end() {
  std::array<std::byte, 1> more{};
  if ((entry_.method == kStored ? copy_stored(more) : inflate_some(more)) != 0)
    refuse("is longer than the archive's directory says");
  if (entry_.method == kDeflated && !ended_) refuse("ends before it should");
  if (left_ > 0 || inflater_.avail_in > 0) refuse("bytes follow its end");
  if (crc_ != entry_.crc) refuse("CRC error");
}

std::size_t ZipStream::copy_stored(std::span<std::byte> bytes) {
  const std::size_t size = std::min<std::uint64_t>(bytes.size(), left_);
  archive_.bytes().read(at_, bytes.first(size));
  at_ += size;
  left_ -= size;
  return size;
}

std::size_t ZipStream::inflate_some(std::span<std::byte> bytes) {
  constexpr std::size_t kBuffer = std::size_t{1} << 16;
  std::size_t done = 0;
  while (done < bytes.size() && !ended_) {
    if (inflater_.avail_in == 0 && left_ > 0) {
      buffer_.resize(std::min<std::uint64_t>(kBuffer, left_));
      static_cast<void>(copy_stored(buffer_));
      inflater_.next_in = reinterpret_cast<Bytef*>(buffer_.data());
      inflater_.avail_in = static_cast<uInt>(buffer_.size());
    }
    // zlib counts in 32 bits.
    const auto room =
        static_cast<uInt>(std::min<std::size_t>(bytes.size() - done, std::numeric_limits<uInt>::max() / 2));
    inflater_.next_out = reinterpret_cast<Bytef*>(bytes.data() + done);
    inflater_.avail_out = room;
    const int status = ::inflate(&inflater_, Z_NO_FLUSH);
    done += room - inflater_.avail_out;
    if (status == Z_STREAM_END) {
      ended_ = true;
    } else if (status == Z_BUF_ERROR) {
      break;  // no more bytes to inflate
    } else if (status == Z_MEM_ERROR) {
      throw std::bad_alloc();
    } else if (status != Z_OK) {
      refuse(fmt::format("is not deflated properly: {}", inflater_.msg != nullptr ? inflater_.msg : "?"));
    }
  }
  return done;
}

void ZipStream::refuse(std::string_view why) const {
  input::refuse(place_of(archive_.name(), entry_.name), std::string(why));
}

}  // namespace mha::input
