// What NumPy writes is read as NumPy reads it: every dtype, byte order and memory order, alone and in .npz.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <bit>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/array_reading.h"
#include "tests/support/process.h"
#include "tests/support/temporary_directory.h"

namespace mha::test {
namespace {

namespace fs = std::filesystem;

/// Writes NAME.npy and, as little-endian float64 in row-major order, NAME.expected; all of them once more as
/// stored.npz and deflated.npz.
constexpr const char* kWriter = R"(
import sys
import numpy as np
rng = np.random.default_rng(18)
arrays = {}
for kind in ["f8", "f4", "f2", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1", "b1"]:
    for shape in [(), (1,), (5,), (3, 4), (2, 3, 5), (1, 2, 3, 1, 2)]:
        for byte_order in "<>":
            for order in "CF":
                values = rng.normal(size=shape) * 50 if kind[0] == "f" else rng.integers(0, 2 if kind == "b1" else 100, shape)
                name = f"{kind}-{len(shape)}-{'le' if byte_order == '<' else 'be'}-{order}"
                arrays[name] = np.array(np.asarray(values).astype(byte_order + kind), order=order)
arrays["view"] = rng.normal(size=(6, 8))[::2, 1::3]
arrays["transposed"] = rng.normal(size=(4, 3, 2)).T
arrays["größe/ä.b"] = np.ones(2)
for number, (name, array) in enumerate(arrays.items()):
    with open(f"{number}.npy", "wb") as file:
        np.lib.format.write_array(file, array, version=[(1, 0), (2, 0), (3, 0)][number % 3])
    array.astype("<f8").tofile(f"{number}.expected")
    with open(f"{number}.name", "w", encoding="utf-8") as file:
        file.write(name)
np.savez("stored.npz", **arrays)
np.savez_compressed("deflated.npz", **arrays)
np.save("object.npy", np.array([{}, 1], dtype=object), allow_pickle=True)
np.save("text.npy", np.array(["ab", "c"]))
np.save("complex.npy", np.array([1j]))
np.save("structure.npy", np.zeros(2, dtype=[("x", "<f4"), ("y", ">i2", (3,))]))
np.save("time.npy", np.array(["2024-01-01"], dtype="datetime64[ns]"))
print(len(arrays))
)";

std::vector<double> expected(const fs::path& path) {
  const std::string bytes = contents(path);
  std::vector<double> values;
  for (std::size_t at = 0; at < bytes.size(); at += 8) {
    std::uint64_t bits = 0;
    for (std::size_t i = 8; i-- > 0;) bits = bits << 8 | static_cast<unsigned char>(bytes[at + i]);
    values.push_back(std::bit_cast<double>(bits));
  }
  return values;
}

class NumPy : public testing::Test {
 protected:
  /// Whether the files could be written.
  bool write() {
    const std::string python = python_with_numpy();
    if (python.empty()) return false;
    std::ofstream(path("write.py")) << kWriter;
    const Outcome outcome = shell(python + " write.py", {}, directory_.path());
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    count_ = std::stoi(outcome.out);
    return true;
  }

  [[nodiscard]] std::string path(const std::string& name) const { return directory_.in(name); }
  [[nodiscard]] int count() const { return count_; }

 private:
  TemporaryDirectory directory_;
  int count_ = 0;
};

TEST_F(NumPy, ReadsWhatItWrites) {
  if (!write()) GTEST_SKIP() << "no python3 with numpy";
  ASSERT_GT(count(), 200);
  const auto stored = input::open_arrays(path("stored.npz"), "stored");
  const auto deflated = input::open_arrays(path("deflated.npz"), "deflated");
  ASSERT_EQ(stored->arrays().size(), static_cast<std::size_t>(count()));
  for (int i = 0; i < count(); ++i) {
    const std::string name = contents(path(std::to_string(i) + ".name"));
    SCOPED_TRACE(name);
    const std::vector<double> values = expected(path(std::to_string(i) + ".expected"));
    const auto file = input::open_arrays(path(std::to_string(i) + ".npy"), "the file");
    EXPECT_EQ(entries(*file, file->arrays().at(0)), values);
    for (const auto* const npz : {stored.get(), deflated.get()}) {
      ASSERT_NE(npz->find(name), nullptr);
      EXPECT_EQ(npz->find(name)->shape, file->arrays()[0].shape);
      EXPECT_EQ(entries(*npz, *npz->find(name)), values);
    }
  }
  for (const char* const other : {"object", "text", "complex", "structure", "time"}) {
    EXPECT_PRED_FORMAT2(testing::IsSubstring, "the file: dtype \"", refusal<std::invalid_argument>([&] {
                          input::open_arrays(path(std::string(other) + ".npy"), "the file");
                        }));
  }
}

}  // namespace
}  // namespace mha::test
