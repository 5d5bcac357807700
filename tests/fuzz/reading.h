#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <vector>

#include "input/formats/array_file.h"
#include "input/formats/byte_source.h"

namespace mha::test {

using Reader = std::function<std::unique_ptr<input::ArrayFile>(std::unique_ptr<input::ByteSource> bytes)>;

/// Opens those bytes with a format's reader and reads every array, as far as it is not larger than a small
/// file can make it. False if it was refused; anything thrown but a refusal comes out.
inline bool read_all(const std::uint8_t* data, std::size_t size, const Reader& reader) {
  constexpr double kMostEntries = 1 << 20;
  try {
    const auto file = reader(input::memory_bytes(std::as_bytes(std::span(data, size)), "the file"));
    for (const input::ArrayInfo& array : file->arrays()) {
      if (file->texts(array.name) != nullptr) continue;
      double entries = 1.0;
      for (const Index length : array.shape) entries *= static_cast<double>(length);
      std::vector<double> values(static_cast<std::size_t>(std::min(entries, kMostEntries)));
      file->read(array, 0, values);
    }
    return true;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

}  // namespace mha::test
