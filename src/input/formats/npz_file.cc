#include "input/formats/open_arrays.h"

#include <fmt/format.h>

#include <map>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "input/formats/entries.h"
#include "input/formats/npy_header.h"
#include "input/formats/place.h"
#include "input/formats/zip_archive.h"
#include "input/memory.h"

namespace mha::input {
namespace {

std::string array_of(const ZipEntry& entry, const std::string& file) {
  constexpr std::string_view kEnd = ".npy";
  if (!entry.name.ends_with(kEnd))
    throw std::invalid_argument(
        fmt::format("{}: the entry {} is not named NAME.npy", file, quoted_key(entry.name)));
  return entry.name.substr(0, entry.name.size() - kEnd.size());
}

class NpzFile : public ArrayFile {
 public:
  NpzFile(std::unique_ptr<ByteSource> bytes, const std::string& name)
      : ArrayFile(name), bytes_(std::move(bytes)), zip_(*bytes_, name) {
    for (const ZipEntry& entry : zip_.entries()) {
      const std::string array = array_of(entry, name);
      const std::string place = place_of(name, array);
      ZipStream stream(zip_, entry);
      headers_.push_back(read_npy_header([&](std::span<std::byte> part) { stream.read(part); }, place));
      check_size(headers_.back(), entry, place);
      add({array, headers_.back().dtype, headers_.back().shape});
    }
  }

 private:
  /// Before anything of that size is made room for.
  static void check_size(const NpyHeader& header, const ZipEntry& entry, const std::string& place) {
    const Index entries = entries_of(header.shape, place);
    if (header.type == nullptr) return;
    const std::uint64_t size = bytes_of(entries, header.type->size, place);
    if (entry.size < header.size || entry.size - header.size != size)
      throw std::invalid_argument(
          fmt::format("{}: is {} bytes long, where a header of {} and {} of {} take {}", place, entry.size,
                      header.size, shown_shape(header.shape), header.dtype, header.size + size));
  }

  void read_entries(std::size_t number, Index first, std::span<double> values) const override {
    const NpyHeader& header = headers_[number];
    const PackedArray packed{name(), arrays()[number],
                             number_type(header, place_of(name(), arrays()[number].name))};
    const std::span<const std::byte> entries = inflated(number);
    if (header.column_major) return read_column_major(packed, entries, first, values);
    read_row_major(packed, *memory_bytes(entries, name()), 0, first, values);
  }

  /// The entries of an array, checked to be all of it.
  std::span<const std::byte> inflated(std::size_t number) const {
    if (const auto found = inflated_.find(number); found != inflated_.end()) return found->second;
    const ZipEntry& entry = zip_.entries()[number];
    const std::uint64_t header_size = headers_[number].size;
    const std::uint64_t size = entry.size - header_size;
    require_memory(place_of(name(), arrays()[number].name), static_cast<double>(size));
    std::vector<std::byte> header(header_size);
    std::vector<std::byte> entries(size);
    ZipStream stream(zip_, entry);
    stream.read(header);
    stream.read(entries);
    stream.end();
    return inflated_.emplace(number, std::move(entries)).first->second;
  }

  std::unique_ptr<ByteSource> bytes_;
  ZipArchive zip_;
  std::vector<NpyHeader> headers_;
  mutable std::map<std::size_t, std::vector<std::byte>> inflated_;
};

}  // namespace

std::unique_ptr<ArrayFile> npz_file(std::unique_ptr<ByteSource> bytes, const std::string& name) {
  return std::make_unique<NpzFile>(std::move(bytes), name);
}

}  // namespace mha::input
