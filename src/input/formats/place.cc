#include "input/formats/place.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace mha::input {
namespace {

constexpr std::size_t kMostSizes = 32;

}  // namespace

std::string place_of(const std::string& file, const std::string& array) {
  return array.empty() ? file : fmt::format("{}: {}", file, quoted_key(array));
}

std::string place_of(const std::string& file, const std::string& array, std::span<const Index> index) {
  std::string place = place_of(file, array);
  for (const char* separator = array.empty() ? ": " : ", "; const std::string& part : index_words(index)) {
    place += separator + part;
    separator = ", ";
  }
  return place;
}

void refuse(const std::string& message) { throw std::invalid_argument(message); }

void refuse(const std::string& place, const std::string& why) {
  throw std::invalid_argument(fmt::format("{}: {}", place, why));
}

Index entries_of(std::span<const Index> shape, const std::string& place) {
  if (shape.size() > kMostSizes)
    refuse(place, fmt::format("its shape has {} sizes, but at most {} are read", shape.size(), kMostSizes));
  for (const Index size : shape) {
    if (size < 0) refuse(place, fmt::format("its shape is {}: a size below 0", shown_shape(shape)));
  }
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  Index entries = 1;
  for (const Index size : shape) {
    if (size > std::numeric_limits<Index>::max() / entries)
      refuse(place, fmt::format("its shape is {}: more entries than can be counted", shown_shape(shape)));
    entries *= size;
  }
  return entries;
}

std::uint64_t bytes_of(Index entries, std::size_t entry_size, const std::string& place) {
  if (entries > std::numeric_limits<Index>::max() / static_cast<Index>(entry_size))
    refuse(place, fmt::format("{} entries of {} bytes are more than can be counted", entries, entry_size));
  return static_cast<std::uint64_t>(entries) * entry_size;
}

std::vector<Index> index_of(std::span<const Index> shape, Index entry) {
  std::vector<Index> index(shape.size());
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    index[axis] = entry % shape[axis];
    entry /= shape[axis];
  }
  return index;
}

std::vector<std::string> index_words(std::span<const Index> index) {
  const std::size_t slices = index.size() < 2 ? 0 : index.size() - 2;
  std::vector<std::string> words;
  for (std::size_t axis = 0; axis < index.size(); ++axis) {
    const char* const word = axis < slices       ? "slice"
                             : index.size() == 1 ? "entry"
                             : axis == slices    ? "row"
                                                 : "column";
    words.push_back(fmt::format("{} {}", word, index[axis] + 1));
  }
  return words;
}

void require_same(Index found, Index right, const std::string& what, const std::string& than) {
  if (found != right)
    throw std::invalid_argument(fmt::format("{} is {}, and {} is {}", what, found, than, right));
}

std::string shown_shape(std::span<const Index> shape) { return fmt::format("[{}]", fmt::join(shape, ", ")); }

}  // namespace mha::input
