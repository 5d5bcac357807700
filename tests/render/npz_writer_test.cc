// What is written as .npz: read back by NumPy and by our own reader.
#include "render/npz/npz_writer.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/array_reading.h"
#include "tests/support/process.h"
#include "tests/support/temporary_directory.h"

namespace mha::test {
namespace {

struct NpzArray {
  std::string name;
  std::vector<Index> shape;
  std::vector<double> values;
};

const std::vector<NpzArray> kArrays = {
    {"A", {2, 3}, {1, 0, -0.0, 0.1, 1e300, std::numeric_limits<double>::denorm_min()}},
    {"scalar", {}, {7}},
    {"größe/ä.b", {1, 2, 2}, {1, 2, 3, 4}}};

render::Sink into(std::string& bytes) {
  return [&bytes](std::string_view more) { bytes += more; };
}

std::string written(const std::vector<NpzArray>& arrays) {
  std::string bytes;
  render::NpzWriter writer(into(bytes));
  for (const NpzArray& array : arrays) {
    writer.begin(array.name, array.shape);
    writer.append(array.values);
  }
  writer.text("pairs", "größe");
  writer.text("none", "");
  writer.finish();
  return bytes;
}

TEST(WriteNpz, IsReadBackBitByBit) {
  const std::string bytes = written(kArrays);
  const auto file = input::arrays_of(as_file(bytes), "the file");
  ASSERT_EQ(file->arrays().size(), kArrays.size() + 2);
  ASSERT_NE(file->texts("pairs"), nullptr);
  EXPECT_EQ(*file->texts("pairs"), std::vector<std::string>{"größe"});
  for (const NpzArray& array : kArrays) {
    const input::ArrayInfo* const found = file->find(array.name);
    ASSERT_NE(found, nullptr) << array.name;
    EXPECT_EQ(found->shape, array.shape);
    const std::vector<double> values = entries(*file, *found);
    ASSERT_EQ(values.size(), array.values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      EXPECT_EQ(std::bit_cast<std::uint64_t>(values[i]), std::bit_cast<std::uint64_t>(array.values[i]));
    }
  }
}

TEST(WriteNpz, IsReadByNumPy) {
  const std::string python = python_with_numpy();
  if (python.empty()) GTEST_SKIP() << "no Python with NumPy";
  const TemporaryFile file("a.npz", written(kArrays));
  const Outcome read = shell(python + R"( -c '
import sys, zipfile
import numpy as np
path = sys.argv[1]
assert zipfile.ZipFile(path).testzip() is None
for name, array in np.load(path).items():
    print(name, array.dtype.str, array.shape, array.flags.c_contiguous, *[x.hex() if array.dtype.kind == "f" else x for x in array.ravel().tolist()])
' ')" + file.path() + "'",
                             {{"PYTHONIOENCODING", "utf-8"}});
  EXPECT_EQ(read.err, "");
  EXPECT_EQ(read.out,
            "A <f8 (2, 3) True 0x1.0000000000000p+0 0x0.0p+0 -0x0.0p+0 0x1.999999999999ap-4 "
            "0x1.7e43c8800759cp+996 0x0.0000000000001p-1022\n"
            "scalar <f8 () True 0x1.c000000000000p+2\n"
            "größe/ä.b <f8 (1, 2, 2) True 0x1.0000000000000p+0 0x1.0000000000000p+1 "
            "0x1.8000000000000p+1 0x1.0000000000000p+2\n"
            "pairs <U5 () True größe\nnone <U1 () True \n");
}

TEST(WriteNpz, TakesEntriesInPieces) {
  std::string bytes;
  render::NpzWriter writer(into(bytes));
  const std::vector<Index> shape = {100, 200};
  const std::vector<double> row(200, 0.5);
  writer.begin("A", shape);
  for (int r = 0; r < 100; ++r) writer.append(row);
  writer.text("pairs", "größe");
  writer.text("none", "");
  writer.finish();
  EXPECT_EQ(bytes, written({{"A", shape, std::vector<double>(std::size_t{100} * 200, 0.5)}}));
}

TEST(WriteNpz, RefusesMoreOrFewerEntriesThanTheShapeHas) {
  std::string bytes;
  render::NpzWriter writer(into(bytes));
  writer.begin("A", std::vector<Index>{2});
  EXPECT_THROW(writer.append(std::vector<double>(3)), std::logic_error);
  writer.append(std::vector<double>(1));
  EXPECT_THROW(writer.finish(), std::logic_error);
  EXPECT_THROW(writer.begin("B", std::vector<Index>{2}), std::logic_error);
  EXPECT_THROW(render::NpzWriter(into(bytes)).begin(std::string(70000, 'n'), std::vector<Index>{}),
               std::invalid_argument);
}

}  // namespace
}  // namespace mha::test
