#include "render/npz/npz.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <ostream>
#include <stdexcept>

namespace mha::render {
namespace {

constexpr std::uint64_t kVersion = 45;  // of the zip format: 4.5 has zip64
constexpr std::uint64_t kStored = 0;
constexpr std::uint64_t kFlags = 1 << 3 | 1 << 11;  // the checksum follows the content; names are UTF-8
constexpr std::uint64_t kDate = 1 << 5 | 1;         // 1 January 1980, the first: equal runs give equal bytes
constexpr std::uint64_t kElsewhere16 = 0xFFFF;      // the value is in a zip64 field
constexpr std::uint64_t kElsewhere32 = 0xFFFFFFFF;
constexpr std::uint64_t kZip64 = 1;  // the kind of that field

void append_little(std::string& bytes, std::uint64_t value, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xff);
}

struct Field {
  std::uint64_t value;
  std::size_t size;
};

std::string fields(std::string bytes, std::initializer_list<Field> fields) {
  for (const Field& field : fields) append_little(bytes, field.value, field.size);
  return bytes;
}

/// The header of a .npy file, padded so that the entries begin at a multiple of 64.
std::string npy_header(std::span<const Index> shape) {
  constexpr std::size_t kAlignment = 64;
  constexpr std::size_t kPrefix = 10;
  std::string sizes;
  for (const Index size : shape) sizes += fmt::format("{}, ", size);
  std::string text = fmt::format("{{'descr': '<f8', 'fortran_order': False, 'shape': ({}), }}", sizes);
  text.append(kAlignment - (kPrefix + text.size() + 1) % kAlignment, ' ');
  text += '\n';
  return fields("\x93NUMPY", {{1, 1}, {0, 1}, {text.size(), 2}}) + text;
}

}  // namespace

void NpzWriter::begin(const std::string& name, std::span<const Index> shape) {
  constexpr std::size_t kLongestName = 65000;
  if (name.size() > kLongestName) throw std::invalid_argument("a name too long for a .npz");
  end_entry();
  const std::string header = npy_header(shape);
  left_ = 1;
  for (const Index size : shape) left_ *= static_cast<std::uint64_t>(size);
  entries_.push_back({name + ".npy", offset_, header.size() + left_ * sizeof(double), 0});
  const Entry& entry = entries_.back();
  put(fields("PK\x03\x04", {{kVersion, 2},
                            {kFlags, 2},
                            {kStored, 2},
                            {0, 2},
                            {kDate, 2},
                            {0, 4},
                            {kElsewhere32, 4},
                            {kElsewhere32, 4},
                            {entry.name.size(), 2},
                            {20, 2}}) +
      entry.name + fields("", {{kZip64, 2}, {16, 2}, {entry.size, 8}, {entry.size, 8}}));
  put_content(header);
}

void NpzWriter::append(std::span<const double> values) {
  constexpr std::size_t kChunk = 8192;
  if (values.size() > left_) throw std::logic_error("more entries than an array's shape has");
  left_ -= values.size();
  while (!values.empty()) {
    std::string bytes;
    const auto chunk = values.first(std::min(values.size(), kChunk));
    bytes.reserve(chunk.size_bytes());
    for (const double value : chunk) append_little(bytes, std::bit_cast<std::uint64_t>(value), sizeof value);
    put_content(bytes);
    values = values.subspan(chunk.size());
  }
}

void NpzWriter::end_entry() {
  if (left_ > 0) throw std::logic_error("fewer entries than an array's shape has");
  if (entries_.empty()) return;
  const Entry& entry = entries_.back();
  put(fields("PK\x07\x08", {{entry.crc, 4}, {entry.size, 8}, {entry.size, 8}}));
}

void NpzWriter::finish() {
  end_entry();
  const std::uint64_t directory = offset_;
  for (const Entry& entry : entries_) {
    put(fields("PK\x01\x02", {{kVersion, 2},
                              {kVersion, 2},
                              {kFlags, 2},
                              {kStored, 2},
                              {0, 2},
                              {kDate, 2},
                              {entry.crc, 4},
                              {kElsewhere32, 4},
                              {kElsewhere32, 4},
                              {entry.name.size(), 2},
                              {28, 2},
                              {0, 2},
                              {0, 2},
                              {0, 2},
                              {0, 4},
                              {kElsewhere32, 4}}) +
        entry.name + fields("", {{kZip64, 2}, {24, 2}, {entry.size, 8}, {entry.size, 8}, {entry.offset, 8}}));
  }
  const std::uint64_t end = offset_;
  const std::uint64_t count = entries_.size();
  const std::uint64_t size = end - directory;
  put(fields("PK\x06\x06", {{44, 8},
                            {kVersion, 2},
                            {kVersion, 2},
                            {0, 4},
                            {0, 4},
                            {count, 8},
                            {count, 8},
                            {size, 8},
                            {directory, 8}}));
  put(fields("PK\x06\x07", {{0, 4}, {end, 8}, {1, 4}}));
  put(fields("PK\x05\x06",
             {{0, 4}, {kElsewhere16, 2}, {kElsewhere16, 2}, {kElsewhere32, 4}, {kElsewhere32, 4}, {0, 2}}));
}

void NpzWriter::put(std::string_view bytes) {
  out_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  offset_ += bytes.size();
}

void NpzWriter::put_content(std::string_view bytes) {
  std::uint32_t& crc = entries_.back().crc;
  crc =
      static_cast<std::uint32_t>(::crc32_z(crc, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
  put(bytes);
}

void write_npz(const std::vector<NpzArray>& arrays, std::ostream& out) {
  NpzWriter writer(out);
  for (const NpzArray& array : arrays) {
    writer.begin(array.name, array.shape);
    writer.append(array.values);
  }
  writer.finish();
}

}  // namespace mha::render
