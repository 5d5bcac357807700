#include "input/formats/packed_entries.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <vector>

#include "input/formats/place.h"
#include "input/formats/shape.h"

namespace mha::input {
namespace {

constexpr std::size_t kChunk = 8192;  // entries, at most 64 KiB

void decode(const PackedArray& packed, std::span<const std::byte> bytes, Index first,
            std::span<double> values) {
  const std::optional<Misfit> misfit = packed.type.decode(bytes, values);
  if (!misfit) return;
  const std::vector<Index> index = index_of(packed.array.shape, first + static_cast<Index>(misfit->at));
  throw std::invalid_argument(
      fmt::format("{}: {}", place_of(packed.file, packed.array.name, index), misfit->value));
}

}  // namespace

void read_row_major(const PackedArray& packed, const ByteSource& bytes, std::uint64_t offset, Index first,
                    std::span<double> values) {
  std::vector<std::byte> chunk(std::min(values.size(), kChunk) * packed.type.size);
  while (!values.empty()) {
    const std::span<double> some = values.first(std::min(values.size(), kChunk));
    const std::span<std::byte> read(chunk.data(), some.size() * packed.type.size);
    bytes.read(offset + static_cast<std::uint64_t>(first) * packed.type.size, read);
    decode(packed, read, first, some);
    values = values.subspan(some.size());
    first += static_cast<Index>(some.size());
  }
}

void read_column_major(const PackedArray& packed, std::span<const std::byte> entries, Index first,
                       std::span<double> values) {
  const std::vector<Index>& shape = packed.array.shape;
  std::vector<Index> index = index_of(shape, first);
  for (std::size_t i = 0; i < values.size(); ++i) {
    Index at = 0;
    for (std::size_t axis = shape.size(); axis-- > 0;) at = at * shape[axis] + index[axis];
    decode(packed, entries.subspan(static_cast<std::size_t>(at) * packed.type.size, packed.type.size),
           first + static_cast<Index>(i), values.subspan(i, 1));
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      if (++index[axis] < shape[axis]) break;
      index[axis] = 0;
    }
  }
}

}  // namespace mha::input
