#include "input/formats/open_arrays.h"

#include <utility>

#include "tests/fuzz/reading.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  mha::test::read_all(data, size,
                      [](auto bytes) { return mha::input::npy_file(std::move(bytes), "the file"); });
  return 0;
}
