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

constexpr std::string_view kEnd = ".npy";

class NpzFile : public ArrayFile {
 public:
  NpzFile(std::unique_ptr<ByteSource> bytes, const std::string& name)
      : ArrayFile(name), bytes_(std::move(bytes)), zip_(*bytes_, name) {
    refuse_other_archives();
    for (const ZipEntry& entry : zip_.entries()) {
      if (!entry.name.ends_with(kEnd)) {  // beside the arrays: a note, a configuration
        headers_.emplace_back();
        add({entry.name, "none", {}});
        continue;
      }
      const std::string array = entry.name.substr(0, entry.name.size() - kEnd.size());
      const std::string place = place_of(name, array);
      ZipStream stream(zip_, entry);
      headers_.push_back(read_npy_header([&](std::span<std::byte> part) { stream.read(part); }, place));
      check_size(headers_.back(), entry, place);
      add({array, headers_.back().dtype, headers_.back().shape});
    }
  }

  [[nodiscard]] const std::vector<std::string>* texts(std::string_view name) const override {
    const ArrayInfo* array = find(name);
    if (array == nullptr) return nullptr;
    const auto number = static_cast<std::size_t>(array - arrays().data());
    const std::size_t size = string_size(headers_[number]);
    const std::string place = place_of(this->name(), array->name);
    const Index entries = entries_of(array->shape, place);
    if (size == 0 || entries == 0 || headers_[number].column_major) return nullptr;
    if (const auto found = texts_.find(number); found != texts_.end()) return &found->second;
    if (zip_.entries()[number].size - headers_[number].size != bytes_of(entries, size, place)) return nullptr;
    return &texts_.emplace(number, strings_of(headers_[number], inflated(number))).first->second;
  }

 private:
  /// Archives of other programs, of which nothing is an array.
  void refuse_other_archives() const {
    const char* what = "a zip archive without arrays NAME.npy";
    for (const ZipEntry& entry : zip_.entries()) {
      if (entry.name.ends_with(kEnd)) return;
      if (entry.name.ends_with("data.pkl")) what = "a PyTorch file, a pickle in a zip archive";
      if (entry.name.ends_with(".weights.h5")) what = "a Keras file, HDF5 in a zip archive";
    }
    if (!zip_.entries().empty())
      throw std::invalid_argument(
          fmt::format("{}: is {}; save the arrays with numpy.savez or safetensors", name(), what));
  }

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

  void check_numbers(std::size_t number) const override {
    if (headers_[number].size == 0)
      throw std::invalid_argument(
          fmt::format("{}: the entry {} is not named NAME.npy", name(), quoted_key(arrays()[number].name)));
    static_cast<void>(number_type(headers_[number], place_of(name(), arrays()[number].name)));
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
  mutable std::map<std::size_t, std::vector<std::string>> texts_;
};

}  // namespace

std::unique_ptr<ArrayFile> npz_file(std::unique_ptr<ByteSource> bytes, const std::string& name) {
  return std::make_unique<NpzFile>(std::move(bytes), name);
}

}  // namespace mha::input
