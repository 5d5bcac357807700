#include "input/formats/open_arrays.h"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>
#include <vector>

#include "input/formats/entries.h"
#include "input/formats/npy_header.h"
#include "input/formats/place.h"
#include "input/memory.h"

namespace mha::input {
namespace {

NpyHeader header_of(const ByteSource& bytes, const std::string& name) {
  std::uint64_t offset = 0;
  return read_npy_header(
      [&](std::span<std::byte> part) {
        if (part.size() > bytes.size() - offset)
          throw std::invalid_argument(
              fmt::format("{}: ends within the header, at byte {}", name, bytes.size()));
        bytes.read(offset, part);
        offset += part.size();
      },
      name);
}

class NpyFile : public ArrayFile {
 public:
  NpyFile(std::unique_ptr<ByteSource> bytes, const std::string& name)
      : ArrayFile(name), bytes_(std::move(bytes)), header_(header_of(*bytes_, name)) {
    type_ = &number_type(header_, name);
    entries_size_ = bytes_of(entries_of(header_.shape, name), type_->size, name);
    const std::uint64_t there = bytes_->size() - header_.size;
    if (there != entries_size_)
      throw std::invalid_argument(fmt::format("{}: {} bytes after the header, where {} of {} takes {}", name,
                                              there, shown_shape(header_.shape), header_.dtype,
                                              entries_size_));
    add({"", header_.dtype, header_.shape});
  }

 private:
  void check_numbers(std::size_t /*number*/) const override {}

  void read_entries(std::size_t number, Index first, std::span<double> values) const override {
    const PackedArray packed{name(), arrays()[number], *type_};
    if (!header_.column_major) return read_row_major(packed, *bytes_, header_.size, first, values);
    if (column_major_.empty()) {
      // A row's entries are all over the file.
      require_memory(name(), static_cast<double>(entries_size_));
      std::vector<std::byte> all(entries_size_);
      bytes_->read(header_.size, all);
      column_major_ = std::move(all);
    }
    read_column_major(packed, column_major_, first, values);
  }

  std::unique_ptr<ByteSource> bytes_;
  NpyHeader header_;
  const EntryType* type_ = nullptr;
  std::uint64_t entries_size_ = 0;
  mutable std::vector<std::byte> column_major_;  ///< all the entries, once one was asked for
};

}  // namespace

std::unique_ptr<ArrayFile> npy_file(std::unique_ptr<ByteSource> bytes, const std::string& name) {
  return std::make_unique<NpyFile>(std::move(bytes), name);
}

}  // namespace mha::input
