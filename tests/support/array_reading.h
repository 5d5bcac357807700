#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "input/formats/open_arrays.h"
#include "tests/support/refusal.h"

namespace mha::test {

/// A file's bytes as its readers take them. They stay the string's.
inline std::span<const std::byte> as_file(const std::string& bytes) {
  return std::as_bytes(std::span(bytes));
}

/// All entries of an array in row-major order.
inline std::vector<double> entries(const input::ArrayFile& file, const input::ArrayInfo& array) {
  Index count = 1;
  for (const Index size : array.shape) count *= size;
  std::vector<double> values(static_cast<std::size_t>(count));
  file.read(array, 0, values);
  return values;
}

/// What reading all arrays of a file is refused with.
inline std::string refused_file(const std::string& bytes) {
  return refusal<std::invalid_argument>([&] {
    const auto file = input::arrays_of(as_file(bytes), "the file");
    for (const input::ArrayInfo& array : file->arrays()) entries(*file, array);
  });
}

}  // namespace mha::test
