// .safetensors files: what is read, and offsets that are not trusted.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/support/array_bytes.h"
#include "tests/support/array_reading.h"
#include "tests/support/peak_memory.h"

namespace mha::test {
namespace {

using Values = std::vector<double>;

const std::string kTwo = packed({1.5, -2.25}, "float64");

/// A header of one float64 tensor `h.0.w` of shape [2] with these offsets.
std::string with_offsets(const std::string& offsets) {
  return R"({"h.0.w":{"dtype":"F64","shape":[2],"data_offsets":)" + offsets + "}}";
}

std::string tensor(const std::string& dtype, const std::string& shape, const std::string& offsets) {
  return R"({"dtype":")" + dtype + R"(","shape":)" + shape + R"(,"data_offsets":)" + offsets + "}";
}

TEST(Safetensors, ReadsTensorsInTheHeadersOrder) {
  const std::string bytes =
      safetensors_bytes({{"b", {2, 3}, {1, 2, 3, 4, 5, 6}}, {"a", {2}, {7, 8}}, {"s", {}, {9}}}, "float32");
  const auto file = input::arrays_of(as_file(bytes), "the file");
  ASSERT_EQ(file->arrays().size(), 3U);
  EXPECT_EQ(file->arrays()[0].name, "b");
  EXPECT_EQ(file->arrays()[0].dtype, "float32");
  EXPECT_EQ(file->arrays()[0].shape, (std::vector<Index>{2, 3}));
  EXPECT_EQ(entries(*file, *file->find("a")), (Values{7, 8}));
  EXPECT_EQ(entries(*file, *file->find("b")), (Values{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(entries(*file, *file->find("s")), Values{9});
  EXPECT_EQ(file->find("__metadata__"), nullptr);
}

TEST(Safetensors, ReadsEveryType) {
  const Values values = {0, 1, 1, 0};
  for (const char* const dtype : {"float64", "float32", "float16", "bfloat16", "int64", "int32", "int16",
                                  "int8", "uint64", "uint32", "uint16", "uint8", "bool"}) {
    const std::string bytes = safetensors_bytes({{"w", {4}, values}}, dtype);
    const auto file = input::arrays_of(as_file(bytes), "the file");
    EXPECT_EQ(file->arrays().at(0).dtype, dtype);
    EXPECT_EQ(entries(*file, file->arrays().at(0)), values) << dtype;
  }
}

TEST(Safetensors, Bfloat16IsTheUpperHalfOfAFloat) {
  const std::string bytes = safetensors_raw(R"({"w":)" + tensor("BF16", "[3]", "[0,6]") + "}",
                                            std::string("\x80\x3f\xc0\x3f\x00\xc0", 6));
  const auto file = input::arrays_of(as_file(bytes), "the file");
  EXPECT_EQ(entries(*file, *file->find("w")), (Values{1.0, 1.5, -2.0}));
}

TEST(Safetensors, GoodOffsetsLoad) {
  const std::string bytes = safetensors_raw(with_offsets("[0,16]"), kTwo);
  const auto file = input::arrays_of(as_file(bytes), "the file");
  EXPECT_EQ(entries(*file, *file->find("h.0.w")), (Values{1.5, -2.25}));
}

TEST(Safetensors, BadOffsetsAreRefusedWithTheTensor) {
  const std::vector<std::pair<std::string, std::string>> hostile = {
      {"[-8,8]", "-8 is not a whole number"},
      {"[16,0]", "[16, 0] are reversed"},
      {"[8,24]", "[8, 24] end beyond the 16 bytes of data"},
      {"[0,8]", "[0, 8] are 8 bytes, where [2] of float64 takes 16"},
      {"[0]", "data_offsets has 1 numbers"},
      {"[]", "data_offsets has 0 numbers"},
      {"[0,16,16]", "data_offsets has 3 numbers"},
      {"[0.0,16.0]", "0 is not a whole number"},
      {"[0,1e1]", "10 is not a whole number"},
      {"[0,18446744073709551615]", "18446744073709551615 is not a whole number"},
      {"[0,18446744073709551632]", "is not a whole number"},
      {"[9223372036854775800,9223372036854775807]", "end beyond"},
      {"[0,\"16\"]", "\"data_offsets\" cannot be a string"},
      {"[[0],16]", "\"data_offsets\" cannot be a list"},
      {"{}", "\"data_offsets\" cannot be an object"},
      {"null", "\"data_offsets\" cannot be null"},
      {"16", "\"data_offsets\" cannot be a number"},
  };
  const long before = peak_kib();
  for (const auto& [offsets, part] : hostile) {
    const std::string message = refused_file(safetensors_raw(with_offsets(offsets), kTwo));
    EXPECT_PRED_FORMAT2(testing::IsSubstring, part, message);
    EXPECT_PRED_FORMAT2(testing::IsSubstring, "\"h.0.w\"", message);
  }
  EXPECT_LT(peak_kib() - before, kMostKib);
}

TEST(Safetensors, RefusesOverlapsHolesAndWhatIsLeftOver) {
  const auto two = [](const std::string& first, const std::string& second) {
    return refused_file(safetensors_raw(
        R"({"a":)" + tensor("F64", "[1]", first) + R"(,"b":)" + tensor("F64", "[1]", second) + "}",
        packed({1, 2, 3}, "float64")));
  };
  EXPECT_EQ(
      two("[0,8]", "[0,8]"),
      "the file: \"b\": data_offsets [0, 8] overlap what lies before byte 8, where the tensor before it ends");
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "\"b\": data_offsets [4, 12] overlap", two("[0,8]", "[4,12]"));
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "\"a\": data_offsets [4, 12] overlap", two("[4,12]", "[0,8]"));
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "\"b\": data_offsets [16, 24] leave a hole after byte 8",
                      two("[0,8]", "[16,24]"));
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "\"a\": data_offsets [8, 16] leave a hole after byte 0",
                      two("[8,16]", "[16,24]"));
  EXPECT_EQ(two("[8,16]", "[0,8]"), "the file: \"a\": 8 bytes of data follow the last tensor");
}

TEST(Safetensors, RefusesHostileHeaders) {
  const std::vector<std::pair<std::string, std::string>> hostile = {
      {R"({"w":)" + tensor("F64", "[4294967296,4294967296]", "[0,16]") + "}", "\"w\": its shape is"},
      {R"({"w":)" + tensor("F64", "[2305843009213693952]", "[0,16]") + "}",
       "\"w\": 2305843009213693952 entries"},
      {R"({"w":)" + tensor("F64", "[0]", "[0,0]") + "}", "\"w\": 16 bytes of data follow the last tensor"},
      {R"({"w":)" + tensor("F64", "[-2]", "[0,16]") + "}", "\"w\": shape: -2 is not a whole number"},
      {R"({"w":)" + tensor("F64", "2", "[0,16]") + "}", "\"w\": \"shape\" cannot be a number"},
      {R"({"w":{"dtype":"F64","shape":[2]}})", "\"w\": data_offsets has 0 numbers"},
      {R"({"w":{"shape":[2],"data_offsets":[0,16]}})", "\"w\": dtype is missing"},
      {R"({"w":{"dtype":"F64","data_offsets":[0,16]}})", "\"w\": shape is missing"},
      {R"({"w":{"dtype":7,"shape":[2],"data_offsets":[0,16]}})", "\"w\": \"dtype\" cannot be a number"},
      {R"({"w":{"dtype":["F64"],"shape":[2],"data_offsets":[0,16]}})", "\"w\": \"dtype\" cannot be a list"},
      {R"({"w":{"dtype":"F64","dtype":"F64","shape":[2],"data_offsets":[0,16]}})",
       "\"w\": \"dtype\" is given twice"},
      {R"({"w":{"dtype":"F64","shape":[2],"data_offsets":[0,16],"x":1}})",
       "\"w\": \"x\" is not dtype, shape or"},
      {R"({"w":)" + tensor("F64", "[2]", "[0,16]") + R"(,"w":)" + tensor("F64", "[2]", "[0,16]") + "}",
       "\"w\" is given twice"},
      {R"({"w":3})", "\"w\": \"w\" cannot be a number"},
      {R"({"__metadata__":{"a":1}})", "\"a\" cannot be a number"},
      {R"({"__metadata__":{"a":{}}})", "\"a\" cannot be an object"},
      {"{}", "16 bytes of data follow the last tensor"},
      {"{", "header: line 1, column 2"},
      {"{\"w\":NaN}", "header: line 1, column"},
      {"{\"w\":" + std::string(100, '['), "cannot be a list"},
  };
  for (const auto& [header, part] : hostile) {
    SCOPED_TRACE(header);
    EXPECT_PRED_FORMAT2(testing::IsSubstring, part, refused_file(safetensors_raw(header, kTwo)));
  }
}

TEST(Safetensors, RefusesAHeaderLongerThanTheFile) {
  const long before = peak_kib();
  EXPECT_EQ(
      refused_file(std::string(8, '\xff') + with_offsets("[0,16]") + kTwo),
      "the file: the header's length is 18446744073709551615, but at most 75 bytes are possible in this file");
  std::string bytes = std::string("\x64\0\0\0\0\0\0\0", 8) + with_offsets("[0,16]");
  bytes.resize(50);
  EXPECT_EQ(refused_file(bytes),
            "the file: the header's length is 100, but at most 42 bytes are possible in this file");
  EXPECT_LT(peak_kib() - before, kMostKib);
  const std::string whole = safetensors_bytes({{"w", {2}, {1, 2}}});
  for (std::size_t size = 1; size < whole.size(); ++size) {
    EXPECT_EQ(refused_file(whole.substr(0, size)).rfind("the file: ", 0), 0U) << size;
  }
}

TEST(Safetensors, ListsATypeThatIsNotReadAndRefusesItByName) {
  const std::string bytes = safetensors_raw(
      R"({"w":)" + tensor("F8_E4M3", "[2]", "[0,2]") + R"(,"v":)" + tensor("F64", "[2]", "[2,18]") + "}",
      "ab" + kTwo);
  const auto file = input::arrays_of(as_file(bytes), "the file");
  EXPECT_EQ(file->find("w")->dtype, "F8_E4M3");
  EXPECT_EQ(entries(*file, *file->find("v")), (Values{1.5, -2.25}));
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "\"w\": dtype \"F8_E4M3\" is not read",
                      refusal<std::invalid_argument>([&] { entries(*file, *file->find("w")); }));
}

}  // namespace
}  // namespace mha::test
