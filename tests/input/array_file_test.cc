// Files of arrays as files: told apart by content, the same arrays in every format, and what is no file.
#include "input/formats/open_arrays.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "input/layers/read_layer.h"
#include "tests/support/array_bytes.h"
#include "tests/support/array_reading.h"
#include "tests/support/random.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/zip_bytes.h"

namespace mha::test {
namespace {

namespace fs = std::filesystem;

/// A directory of the test's own while it lives.
class Directory {
 public:
  [[nodiscard]] std::string file(const std::string& content = "") const {
    std::ofstream(path("arrays"), std::ios::binary) << content;
    return path("arrays");
  }
  [[nodiscard]] std::string path(const std::string& name = "") const { return directory_.in(name); }

 private:
  TemporaryDirectory directory_;
};

std::string refused_path(const std::string& path) {
  return refusal<std::invalid_argument>([&] { input::open_arrays(path, "the file"); });
}

TEST(ArrayFile, TheSameArraysComeOutOfEveryFormat) {
  std::mt19937 engine(6);
  const std::vector<NamedArray> arrays = {named("Q", random_matrix(5, 3, engine)),
                                          named("K", random_matrix(5, 3, engine))};
  const Directory directory;
  for (const std::string& bytes :
       {json_bytes(arrays), npz_bytes(arrays), npz_bytes(arrays, {}, true),
        npz_bytes(arrays, {"float64", true, true, 3}), safetensors_bytes(arrays)}) {
    const auto file = input::open_arrays(directory.file(bytes), "the file");
    ASSERT_EQ(file->arrays().size(), 2U);
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      EXPECT_EQ(file->arrays()[i].name, arrays[i].name);
      EXPECT_EQ(file->arrays()[i].dtype, "float64");
      EXPECT_EQ(file->arrays()[i].shape, arrays[i].shape);
      EXPECT_EQ(entries(*file, file->arrays()[i]), arrays[i].values);
    }
    EXPECT_EQ(file->find("V"), nullptr);
    EXPECT_EQ(file->texts("Q"), nullptr);
    EXPECT_EQ(file->name(), "the file");
  }
  const auto npy = input::open_arrays(directory.file(npy_bytes(arrays[0])), "the file");
  EXPECT_EQ(entries(*npy, *npy->find("")), arrays[0].values);
}

TEST(ArrayFile, RefusesWhatIsOfNoFormat) {
  const std::string none = "the file: is neither JSON nor a .npy, .npz or .safetensors file";
  for (const std::string& bytes :
       {std::string(64, '\0'), std::string("\xff\xff\xff\xff\xff\xff\xff\xff["), std::string("\0", 1)}) {
    EXPECT_EQ(refused_file(bytes), none);
  }
}

TEST(ArrayFile, NamesAFileOfAnotherFormat) {
  const std::vector<std::pair<std::string, std::string>> files = {
      {std::string("GGUF\3\0\0\0", 8), "a GGUF file"},
      {std::string("\x80\2}q\0.", 6), "a Python pickle"},
      {std::string("\x80\4\x95\0.", 6), "a Python pickle"},
      {"<html>", "an HTML page"},
      {"<!DOCTYPE html>", "an HTML page"},
      {"\x89HDF\r\n\x1a\n", "an HDF5 file"},
      {"PAR1 and more", "a Parquet file"},
      {"MATLAB 5.0 MAT-file", "a MATLAB file"},
      {"version https://git-lfs.github.com/spec/v1\noid", "a Git LFS pointer; git lfs pull"},
      {"\x1f\x8b\x08", "compressed with gzip; decompress it first"},
      {std::string("\xff\xfe{\0\"\0", 6), "text in UTF-16; JSON is UTF-8"},
      {"0.5,0.5\n1.0,0.0\n", "a table of text (CSV)"},
      {"\x08\x07\x12\x07pytorch", "an ONNX model"},
      {"\x81\xa6params\x82", "a msgpack file, as Flax writes"},
      {zip_bytes({stored("m/data.pkl", "x"), stored("m/data/0", "y")}), "a PyTorch file"},
      {zip_bytes({stored("config.json", "x"), stored("model.weights.h5", "y")}), "a Keras file"},
      {zip_bytes({stored("notes.txt", "x")}), "a zip archive without arrays"},
  };
  for (const auto& [bytes, what] : files)
    EXPECT_PRED_FORMAT2(testing::IsSubstring, "the file: is " + what, refused_file(bytes));
}

TEST(ArrayFile, TellsJsonFromSafetensorsByTheBytesOfTheLength) {
  // An object within the first nine bytes of text, and a length that looks like a brace.
  EXPECT_EQ(refused_file("{\"abcd\":{}}"), "the file: holds no array");
  std::string header = R"({"w":{"dtype":"F64","shape":[1],"data_offsets":[0,8]}})";
  header.resize('{', ' ');
  const std::string bytes = safetensors_raw(header, packed({4}, "float64"));
  ASSERT_EQ(bytes[0], '{');
  EXPECT_EQ(entries(*input::arrays_of(as_file(bytes), "the file"),
                    input::arrays_of(as_file(bytes), "the file")->arrays()[0]),
            std::vector<double>{4});
}

TEST(ArrayFile, RefusesWhatIsNoFile) {
  const Directory directory;
  EXPECT_EQ(refused_path("/nonexistent/m.npz"), "the file: No such file or directory");
  EXPECT_EQ(refused_path(""), "the file: No such file or directory");
  EXPECT_EQ(refused_path(directory.path()), "the file: is a directory without a .safetensors file");
  EXPECT_EQ(refused_path(directory.file("")), "the file: is empty");
  const std::string irregular = "the file: is not a regular file, so its parts cannot be read by position";
  EXPECT_EQ(refused_path("/dev/zero"), irregular) << "and has no end";
  EXPECT_EQ(refused_path("/dev/null"), irregular);
}

TEST(ArrayFile, RefusesASparseFileWithoutReadingIt) {
  const Directory directory;
  constexpr off_t kTerabyte = off_t{1} << 40;
  const std::string path = directory.file("{\"A\": [[1]]}");
  ASSERT_EQ(::truncate(path.c_str(), kTerabyte), 0);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "of memory, but only", refused_path(path));
  const std::string zeros = directory.file("");
  ASSERT_EQ(::truncate(zeros.c_str(), kTerabyte), 0);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "is neither JSON", refused_path(zeros));
  const std::string header = directory.file(std::string("\0\0\0\0\x80\0\0\0{", 9));
  ASSERT_EQ(::truncate(header.c_str(), kTerabyte), 0);
  EXPECT_EQ(
      refused_path(header),
      "the file: the header's length is 549755813888, but at most 100000000 bytes are possible in this file");
}

/// A bias and a row of weights of a terabyte each, which are holes in their files.
TEST(ArrayFile, AsksWhetherThereIsTheMemoryForARow) {
  const Directory directory;
  const auto refused = [&](const std::string& tensor, input::Masking mask) {
    const std::string header = R"({"A":{"dtype":"F64","shape":)" + tensor;
    const std::string path = directory.file(safetensors_raw(header, packed({1}, "float64")));
    if (::truncate(path.c_str(), static_cast<off_t>(8 + header.size()) + 8 + (off_t{1} << 40)) != 0)
      return std::string("no file");
    input::LayerOptions options;
    options.path = path;
    options.mask = mask;
    return refusal<std::invalid_argument>([&] { input::read_layer(options); });
  };
  EXPECT_PRED_FORMAT2(
      testing::IsSubstring, "the file: \"b_O\" would need 1024.0 GiB of memory, but only ",
      refused(
          R"([1,1],"data_offsets":[0,8]},"b_O":{"dtype":"F64","shape":[137438953472],"data_offsets":[8,1099511627784]}})",
          input::Masking::kCausal));
  EXPECT_PRED_FORMAT2(
      testing::IsSubstring, "the file: a row of A would need 1024.0 GiB of memory, but only ",
      refused(R"([1,137438953473],"data_offsets":[0,1099511627784]}})", input::Masking::kNone));
}

TEST(ArrayFile, ReadsOnlyWhatIsAskedFor) {
  // A tensor of a terabyte, which is a hole in the file, between two small ones.
  const Directory directory;
  const std::string header =
      R"({"a":{"dtype":"F64","shape":[1],"data_offsets":[0,8]},)"
      R"("hole":{"dtype":"F32","shape":[524288,524288],"data_offsets":[8,1099511627784]},)"
      R"("b":{"dtype":"F64","shape":[1],"data_offsets":[1099511627784,1099511627792]}})";
  const std::string path = directory.file(safetensors_raw(header, packed({3}, "float64")));
  const auto end = static_cast<off_t>(8 + header.size() + 1099511627784U);
  const int file = ::open(path.c_str(), O_WRONLY);
  const std::string last = packed({5}, "float64");
  ASSERT_EQ(::pwrite(file, last.data(), last.size(), end), 8);
  ::close(file);
  const auto arrays = input::open_arrays(path, "the file");
  EXPECT_EQ(entries(*arrays, *arrays->find("a")), std::vector<double>{3});
  EXPECT_EQ(entries(*arrays, *arrays->find("b")), std::vector<double>{5});
  std::vector<double> some(4, 1.0);
  arrays->read(*arrays->find("hole"), Index{1} << 37, some);
  EXPECT_EQ(some, std::vector<double>(4, 0.0));
}

TEST(ArrayFile, CutShortWhileItIsOpenIsRefusedAndNoSignal) {
  const Directory directory;
  NamedArray array{"w", {1000, 10}, std::vector<double>(10000, 1.0)};
  for (const std::string& bytes : {npy_bytes(array), npy_bytes(array, {"float64", false, true, 1}),
                                   safetensors_bytes({array}), npz_bytes({array})}) {
    const std::string path = directory.file(bytes);
    const auto file = input::open_arrays(path, "the file");
    ASSERT_EQ(::truncate(path.c_str(), 4096), 0);
    EXPECT_EQ(refusal<std::invalid_argument>([&] { entries(*file, file->arrays()[0]); }),
              "the file: ends at byte 4096, though it was " + std::to_string(bytes.size()) + " bytes long");
  }
}

TEST(ArrayFile, NamesOnOneLineWhateverTheyHold) {
  const std::string message = refused_file("{\"a\\u001b[31m\\n" + std::string(100, 'x') + "\": [null]}");
  for (const char c : message) EXPECT_TRUE(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f) << message;
  EXPECT_LT(message.size(), 200U);
}

}  // namespace
}  // namespace mha::test
