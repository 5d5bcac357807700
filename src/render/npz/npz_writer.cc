#include "render/npz/npz_writer.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "text/unicode.h"

namespace mha::render {
namespace {

/// The bytes of a number, the least first.
std::string little(std::uint64_t value, std::size_t size) {
  std::string bytes;
  for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xff);
  return bytes;
}

// Fields that more than one record of a zip archive has.
constexpr std::string_view kVersion("\x2D\0", 2);   // 4.5 of the format, which has zip64
constexpr std::string_view kFlags("\x08\x08", 2);   // the checksum follows the content, UTF-8 names
constexpr std::string_view kStored("\0\0", 2);      // the method of compression
constexpr std::string_view kTime("\0\0\x21\0", 4);  // 1 January 1980: equal runs give equal bytes
constexpr std::string_view kElsewhere("\xFF\xFF\xFF\xFF", 4);  // the value is in a zip64 field
constexpr std::string_view kZip64("\x01\0", 2);                // the kind of that field
constexpr std::string_view kZeros("\0\0\0\0\0\0\0\0\0\0", 10);
constexpr std::string_view kFirstDisk = kZeros.substr(0, 4);

/// The header of a .npy file, padded so that the entries begin at a multiple of 64.
std::string npy_header(const std::string& dtype, std::span<const Index> shape) {
  constexpr std::size_t kAlignment = 64;
  constexpr std::size_t kPrefix = 10;
  std::string sizes;
  for (const Index size : shape) sizes += fmt::format("{}, ", size);
  std::string text = fmt::format("{{'descr': '<{}', 'fortran_order': False, 'shape': ({}), }}", dtype, sizes);
  text.append(kAlignment - (kPrefix + text.size() + 1) % kAlignment, ' ');
  text += '\n';
  return "\x93NUMPY" + little(1, 2) + little(text.size(), 2) + text;
}

}  // namespace

void NpzWriter::begin(const std::string& name, std::span<const Index> shape) {
  std::uint64_t entries = 1;
  for (const Index size : shape) entries *= static_cast<std::uint64_t>(size);
  begin_entry(name, npy_header("f8", shape), entries * sizeof(double));
  left_ = entries;
}

void NpzWriter::text(const std::string& name, std::string_view value) {
  std::string codes;
  while (!value.empty()) {
    const std::string_view character = text::first_character(value);
    codes += little(text::decode(character), 4);
    value.remove_prefix(character.size());
  }
  if (codes.empty()) codes = little(0, 4);  // NumPy has no strings of length 0
  begin_entry(name, npy_header(fmt::format("U{}", codes.size() / 4), {}), codes.size());
  put_content(codes);
}

void NpzWriter::begin_entry(const std::string& name, const std::string& header, std::uint64_t content) {
  constexpr std::size_t kLongestName = 65000;
  if (name.size() > kLongestName) throw std::invalid_argument("a name too long for a .npz");
  end_entry();
  entries_.push_back({name + ".npy", offset_, header.size() + content, 0});
  const Entry& entry = entries_.back();
  const std::string sizes = little(entry.size, 8) + little(entry.size, 8);
  put({"PK\x03\x04", kVersion, kFlags, kStored, kTime, kZeros.substr(0, 4), kElsewhere, kElsewhere,
       little(entry.name.size(), 2), little(4 + sizes.size(), 2), entry.name, kZip64, little(sizes.size(), 2),
       sizes});
  put_content(header);
}

void NpzWriter::append(std::span<const double> values) {
  constexpr std::size_t kChunk = 8192;
  if (values.size() > left_) throw std::logic_error("more entries than an array's shape has");
  left_ -= values.size();
  while (!values.empty()) {
    const auto chunk = values.first(std::min(values.size(), kChunk));
    std::string bytes(chunk.size_bytes(), '\0');
    for (std::size_t i = 0; i < bytes.size(); ++i)
      bytes[i] = static_cast<char>(std::bit_cast<std::uint64_t>(chunk[i / 8]) >> (i % 8 * 8) & 0xff);
    put_content(bytes);
    values = values.subspan(chunk.size());
  }
}

void NpzWriter::end_entry() {
  if (left_ > 0) throw std::logic_error("fewer entries than an array's shape has");
  if (entries_.empty()) return;
  const Entry& entry = entries_.back();
  put({"PK\x07\x08", little(entry.crc, 4), little(entry.size, 8), little(entry.size, 8)});
}

void NpzWriter::finish() {
  end_entry();
  const std::uint64_t directory = offset_;
  for (const Entry& entry : entries_) {
    const std::string sizes = little(entry.size, 8) + little(entry.size, 8) + little(entry.offset, 8);
    // Between the lengths and the offset: no comment, the first disk, no attributes.
    put({"PK\x01\x02", kVersion, kVersion, kFlags, kStored, kTime, little(entry.crc, 4), kElsewhere,
         kElsewhere, little(entry.name.size(), 2), little(4 + sizes.size(), 2), kZeros, kElsewhere,
         entry.name, kZip64, little(sizes.size(), 2), sizes});
  }
  const std::uint64_t end = offset_;
  const std::string count = little(entries_.size(), 8);
  put({"PK\x06\x06", little(44, 8), kVersion, kVersion, kFirstDisk, kFirstDisk, count, count,
       little(end - directory, 8), little(directory, 8)});
  put({"PK\x06\x07", kFirstDisk, little(end, 8), little(1, 4)});
  put({"PK\x05\x06", kFirstDisk, kElsewhere, kElsewhere, kElsewhere, kZeros.substr(0, 2)});
}

void NpzWriter::put(std::initializer_list<std::string_view> parts) {
  for (const std::string_view part : parts) {
    out_(part);
    offset_ += part.size();
  }
}

void NpzWriter::put_content(const std::string& bytes) {
  std::uint32_t& crc = entries_.back().crc;
  crc =
      static_cast<std::uint32_t>(::crc32_z(crc, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
  put({bytes});
}

}  // namespace mha::render
