// What the fuzzers start from and what they found, read as they read it: good- files whole, bad- ones
// refused.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <utility>

#include "input/formats/open_arrays.h"
#include "tests/fuzz/reading.h"
#include "tests/support/temporary_directory.h"

namespace mha::test {
namespace {

const std::map<std::string, Reader> kReaders = {
    {"json", [](auto bytes) { return input::json_arrays(*bytes, "the file"); }},
    {"npy", [](auto bytes) { return input::npy_file(std::move(bytes), "the file"); }},
    {"npz", [](auto bytes) { return input::npz_file(std::move(bytes), "the file"); }},
    {"safetensors", [](auto bytes) { return input::safetensors_file(std::move(bytes), "the file"); }},
};

TEST(FuzzCorpus, IsReadOrRefused) {
  const std::filesystem::path corpus = std::filesystem::path(MHA_SOURCE_DIR) / "tests/fuzz/corpus";
  for (const auto& [format, reader] : kReaders) {
    int good = 0;
    int bad = 0;
    for (const auto& entry : std::filesystem::directory_iterator(corpus / format)) {
      const std::string name = entry.path().filename().string();
      const std::string bytes = contents(entry.path());
      SCOPED_TRACE(entry.path());
      ASSERT_TRUE(name.starts_with("good-") || name.starts_with("bad-")) << "say which in the name";
      const bool expected = name.starts_with("good-");
      EXPECT_EQ(read_all(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(), reader),
                expected);
      ++(expected ? good : bad);
    }
    EXPECT_GE(good, 3) << format;
    EXPECT_GE(bad, 3) << format;
  }
}

}  // namespace
}  // namespace mha::test
