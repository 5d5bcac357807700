// .npy files: every version, type and order that is read, and what is refused with its reason.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/array_bytes.h"
#include "tests/support/array_reading.h"

namespace mha::test {
namespace {

using Values = std::vector<double>;

/// All entries of the one array of a .npy file.
Values read_npy(const std::string& bytes) {
  const auto file = input::arrays_of(as_file(bytes), "the file");
  EXPECT_EQ(file->arrays().size(), 1U);
  EXPECT_EQ(file->arrays().at(0).name, "");
  return entries(*file, file->arrays().at(0));
}

std::string header(const std::string& descr, const std::string& shape, const std::string& order = "False") {
  return "{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }";
}

TEST(Npy, ColumnMajorOrderIsNotIgnored) {
  // The bytes that np.save writes of np.asfortranarray([[1, 2, 3], [4, 5, 6.]]).
  const std::string columns = packed({1, 4, 2, 5, 3, 6}, "float64");
  EXPECT_EQ(read_npy(npy_raw(header("'<f8'", "(2, 3)", "True"), columns)), (Values{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(read_npy(npy_raw(header("'<f8'", "(2, 3)"), columns)), (Values{1, 4, 2, 5, 3, 6}));
}

TEST(Npy, ByteOrderIsNotIgnored) {
  const std::string one_two("\x3f\xf0\0\0\0\0\0\0\x40\0\0\0\0\0\0\0", 16);
  EXPECT_EQ(read_npy(npy_raw(header("'>f8'", "(1, 2)"), one_two)), (Values{1, 2}));
  const Values swapped = read_npy(npy_raw(header("'<f8'", "(1, 2)"), one_two));
  EXPECT_NEAR(swapped[0] / 3.03865e-319, 1.0, 1e-5);
  EXPECT_NEAR(swapped[1] / 3.16202e-322, 1.0, 1e-2);
}

TEST(Npy, HalvesAreTheNumbersThatTheirBitsSay) {
  // 3C00, 0001, 7BFF, 8400, 83FF.
  const std::string halves("\x00\x3c\x01\x00\xff\x7b\x00\x84\xff\x83", 10);
  EXPECT_EQ(read_npy(npy_raw(header("'<f2'", "(5,)"), halves)),
            (Values{1.0, 5.960464477539063e-08, 65504.0, -0x1p-14, -0x3ffp-24}));
}

TEST(Npy, BoolsAndIntegersAreNumbers) {
  EXPECT_EQ(read_npy(npy_raw(header("'|b1'", "(3,)"), std::string("\1\0\1", 3))), (Values{1, 0, 1}));
  EXPECT_EQ(read_npy(npy_raw(header("'|i1'", "(3,)"), "\x80\xff\x7f")), (Values{-128, -1, 127}));
  EXPECT_EQ(read_npy(npy_raw(header("'|u1'", "(2,)"), "\x80\xff")), (Values{128, 255}));
  EXPECT_EQ(read_npy(npy_raw(header("'<i8'", "(2,)"), packed({-3, 0x1p53}, "int64"))), (Values{-3, 0x1p53}));
  EXPECT_EQ(read_npy(npy_raw(header("'>u2'", "(1,)"), "\x01\x02")), Values{258});
  EXPECT_EQ(read_npy(npy_raw(header("'>i4'", "(1,)"), "\xff\xff\xff\xfe")), Values{-2});
}

TEST(Npy, IntegersBetweenDoublesAreRefusedWithTheirPlace) {
  const std::string file =
      npy_raw(header("'<i8'", "(2, 2)"), packed({1, 2, 3}, "int64") + std::string("\x01\0\0\0\0\0\x20\0", 8));
  EXPECT_EQ(refused_file(file), "the file: row 2, column 2: 9007199254740993 is not exactly a double");
  const std::string least = npy_raw(header("'<i8'", "(1,)"), std::string("\0\0\0\0\0\0\0\x80", 8));
  EXPECT_EQ(read_npy(least), Values{-0x1p63});
  const std::string most = npy_raw(header("'<u8'", "(1,)"), std::string(8, '\xff'));
  EXPECT_EQ(refused_file(most), "the file: entry 1: 18446744073709551615 is not exactly a double");
  const std::string even = npy_raw(header("'<u8'", "(1,)"), std::string("\0\0\0\0\0\0\0\xff", 8));
  EXPECT_EQ(read_npy(even), Values{0xffp56});
}

TEST(Npy, WhatIsNotFiniteIsRefusedWithItsPlace) {
  for (const char* const dtype : {"float64", "float32", "float16"}) {
    for (const bool big_endian : {false, true}) {
      for (const bool column_major : {false, true}) {
        const NpyStyle style{dtype, big_endian, column_major, 1};
        EXPECT_EQ(refused_file(npy_bytes({"", {2, 2, 2}, {1, 2, 3, 4, 5, 6, HUGE_VAL, 8}}, style)),
                  "the file: slice 2, row 2, column 1: inf is not finite");
        EXPECT_EQ(refused_file(npy_bytes({"", {2, 3}, {1, 2, 3, 4, std::nan(""), 6}}, style)),
                  "the file: row 2, column 2: nan is not finite");
        EXPECT_EQ(refused_file(npy_bytes({"", {2}, {1, -HUGE_VAL}}, style)),
                  "the file: entry 2: -inf is not finite");
      }
    }
  }
}

TEST(Npy, EveryTypeOrderAndVersionReadsWhatWasWritten) {
  std::mt19937 engine(16);
  std::uniform_int_distribution<int> digit(0, 100);
  const std::vector<std::vector<Index>> shapes = {{}, {1}, {7}, {3, 5}, {2, 3, 4}, {1, 2, 1, 3, 2}};
  for (const char* const dtype : {"float64", "float32", "float16", "int64", "int32", "int16", "int8",
                                  "uint64", "uint32", "uint16", "uint8"}) {
    for (const std::vector<Index>& shape : shapes) {
      NamedArray array{"", shape, {}};
      Index count = 1;
      for (const Index size : shape) count *= size;
      for (Index i = 0; i < count; ++i) array.values.push_back(digit(engine));
      for (const bool big_endian : {false, true}) {
        for (const bool column_major : {false, true}) {
          for (const int version : {1, 2, 3}) {
            const std::string bytes = npy_bytes(array, {dtype, big_endian, column_major, version});
            const auto file = input::arrays_of(as_file(bytes), "the file");
            EXPECT_EQ(file->arrays().at(0).dtype, dtype);
            EXPECT_EQ(file->arrays().at(0).shape, shape);
            EXPECT_EQ(entries(*file, file->arrays().at(0)), array.values)
                << dtype << (big_endian ? " big-endian" : "") << (column_major ? " column-major" : "");
          }
        }
      }
    }
  }
}

TEST(Npy, APartIsThatPartWhateverTheOrder) {
  NamedArray array{"", {4, 3, 2}, {}};
  for (int i = 0; i < 24; ++i) array.values.push_back(i);
  for (const bool column_major : {false, true}) {
    const std::string bytes = npy_bytes(array, {"float32", false, column_major, 1});
    const auto file = input::arrays_of(as_file(bytes), "the file");
    Values part(7);
    file->read(file->arrays()[0], 5, part);
    EXPECT_EQ(part, (Values{5, 6, 7, 8, 9, 10, 11}));
    EXPECT_THROW(file->read(file->arrays()[0], 18, part), std::out_of_range);
    EXPECT_THROW(file->read(file->arrays()[0], -1, part), std::out_of_range);
    file->read(file->arrays()[0], 17, part);
    EXPECT_EQ(part.back(), 23.0);
  }
}

TEST(Npy, ALargeArrayIsReadInPieces) {
  NamedArray array{"", {5, 9001}, {}};
  for (int i = 0; i < 5 * 9001; ++i) array.values.push_back(i);
  EXPECT_EQ(read_npy(npy_bytes(array, {"float32", true, false, 1})), array.values);
}

TEST(Npy, TheHeaderMayBeWrittenInOtherWays) {
  const std::string data = packed({1, 2, 3, 4, 5, 6}, "float64");
  for (const char* const dictionary :
       {"{'shape': (2, 3), 'fortran_order': False, 'descr': '<f8'}",
        "{\"descr\":\"<f8\",\"fortran_order\":False,\"shape\":(2,3)}",
        " { 'descr' : '=f8' , 'fortran_order' : False , 'shape' : ( 2 , 3 , ) , } \n",
        "{'descr': 'f8', 'fortran_order': False, 'shape': (2L, 3L), }"}) {
    EXPECT_EQ(read_npy(npy_raw(dictionary, data)), (Values{1, 2, 3, 4, 5, 6})) << dictionary;
  }
  EXPECT_EQ(read_npy(npy_raw(header("'<f8'", "()"), packed({7}, "float64"))), Values{7});
}

TEST(Npy, RefusesOtherTypesByName) {
  const std::vector<std::pair<std::string, std::string>> types = {
      {"'|O'", "\"|O\" is not read (Python objects are a pickle, and are never read)"},
      {"'<c16'", "\"<c16\""},
      {"'<U3'", "\"<U3\""},
      {"'|S5'", "\"|S5\""},
      {"'<M8[ns]'", "\"<M8[ns]\""},
      {"'|V2'", "\"|V2\""},
      {"'<f16'", "\"<f16\""},
      {"'<f3'", "\"<f3\""},
      {"''", "\"\""},
      {"[('x', '<f4'), ('y', '<f4', (2,))]", "\"[('x', '<f4'), ('y', '<f4', (2,))]\""},
      {"('<f4', (2,))", "\"('<f4', (2,))\""},
  };
  for (const auto& [descr, part] : types) {
    const std::string message = refused_file(npy_raw(header(descr, "(1,)"), std::string(8, 'c')));
    EXPECT_EQ(message.rfind("the file: dtype " + part, 0), 0U) << message;
  }
}

TEST(Npy, RefusesHostileHeaders) {
  const std::string data = packed({1, 2}, "float64");
  const std::vector<std::pair<std::string, std::string>> hostile = {
      {header("'<f8'", "(2)"), "the shape is not a tuple"},
      {header("'<f8'", "[2]"), "'(' is missing"},
      {header("'<f8'", "(2,,)"), "a size is missing"},
      {header("'<f8'", "(2 3)"), "',' is missing"},
      {header("'<f8'", "(-2,)"), "a size below 0"},
      {header("'<f8'", "(2.0,)"), "',' is missing"},
      {header("'<f8'", "(0x2,)"), "',' is missing"},
      {header("'<f8'", "(99999999999999999999,)"), "a size beyond 2^63"},
      {header("'<f8'", "(0, 2)"), "16 bytes after the header, where [0, 2] of float64 takes 0"},
      {header("'<f8'", "(4294967296, 4294967296)"), "more entries than can be counted"},
      {header("'<f8'", "(4294967296, 4294967296, 0)"), "bytes after the header"},
      {header("'<f8'", "(2305843009213693952,)"), "entries of 8 bytes are more than can be counted"},
      {header("'<f8'", "(2147483648, 2147483648)"), "more than can be counted"},
      {header("'<f8'", "(3,)"), "16 bytes after the header, where [3] of float64 takes 24"},
      {header("'<f8'", "(1,)"), "16 bytes after the header"},
      {header(
           "'<f8'", "(" +
                        [] {
                          std::string ones;
                          for (int i = 0; i < 33; ++i) ones += "1,";
                          return ones;
                        }() +
                        ")"),
       "33 sizes"},
      {header("'<f8'", "(2,)", "false"), "neither True nor False"},
      {header("'<f8'", "(2,)", "1"), "neither True nor False"},
      {header("'<f\\x38'", "(2,)"), "with an escape"},
      {header("__import__('os').abort()", "(2,)"), "a size is missing"},
      {header(std::string(1000, '['), "(2,)"), "more than 16 levels"},
      {"{'descr': '<f8', 'fortran_order': False}", "\"shape\" is missing"},
      {"{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (2,)}", "\"descr\" is given twice"},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (2,), 'x': 1}", "\"x\" is not a key"},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (2,)} 1", "text after the dictionary"},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (2,)", "',' is missing"},
      {"{'descr': '<f8", "a string without an end"},
      {"", "'{' is missing"},
      {std::string("{\0}", 3), "a string is missing"},
  };
  for (const auto& [dictionary, part] : hostile) {
    SCOPED_TRACE(dictionary.substr(0, 100));
    const std::string message = refused_file(npy_raw(dictionary, data));
    EXPECT_EQ(message.rfind("the file: ", 0), 0U) << message;
    EXPECT_PRED_FORMAT2(testing::IsSubstring, part, message);
    EXPECT_LT(message.size(), 300U) << message;
  }
}

TEST(Npy, RefusesWhatIsCutShortOrOfAnotherVersion) {
  const std::string whole = npy_bytes({"", {2, 3}, {1, 2, 3, 4, 5, 6}});
  for (std::size_t size = 6; size < whole.size(); ++size) {
    EXPECT_EQ(refused_file(whole.substr(0, size)).rfind("the file: ", 0), 0U) << size;
  }
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "within the header, at byte 20",
                      refused_file(whole.substr(0, 20)));
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "49 bytes after the header", refused_file(whole + "x"));
  std::string version = whole;
  version[6] = 4;
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "version 4.0", refused_file(version));
  version[6] = 1;
  version[7] = 1;
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "version 1.1", refused_file(version));
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "the header's length is 4294967295",
                      refused_file(std::string("\x93NUMPY\x02\0\xff\xff\xff\xff{", 13)));
}

}  // namespace
}  // namespace mha::test
