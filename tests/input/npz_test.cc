// .npz files: stored and deflated, and archives that lie.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/support/array_bytes.h"
#include "tests/support/array_reading.h"
#include "tests/support/peak_memory.h"
#include "tests/support/zip_bytes.h"

namespace mha::test {
namespace {

using Values = std::vector<double>;

const NamedArray kA{"A", {2, 2}, {1, 0, 0.5, 0.5}};
const NamedArray kX{"h.0.x y/é", {3}, {7, 8, 9}};

std::string header(const std::string& shape) {
  return "{'descr': '<f8', 'fortran_order': False, 'shape': " + shape + ", }";
}

TEST(Npz, ReadsStoredAndDeflatedArraysInEveryOrder) {
  for (const bool deflate : {false, true}) {
    for (const bool column_major : {false, true}) {
      const std::string bytes = npz_bytes({kA, kX}, {"float32", true, column_major, 2}, deflate);
      const auto file = input::arrays_of(as_file(bytes), "the file");
      ASSERT_EQ(file->arrays().size(), 2U);
      EXPECT_EQ(file->arrays()[0].name, "A");
      EXPECT_EQ(file->arrays()[0].dtype, "float32");
      EXPECT_EQ(file->arrays()[0].shape, (std::vector<Index>{2, 2}));
      EXPECT_EQ(entries(*file, *file->find(kX.name)), kX.values);
      EXPECT_EQ(entries(*file, *file->find("A")), kA.values);
      Values part(2);
      file->read(*file->find("A"), 1, part);
      EXPECT_EQ(part, (Values{0, 0.5}));
    }
  }
}

TEST(Npz, InflatesWhatIsDeflatedIntoLittle) {
  const std::size_t entries_size = std::size_t{300} * 300 * 8;
  const std::string bytes =
      zip_bytes({deflated_zeros("A.npy", npy_raw(header("(300, 300)"), ""), entries_size)});
  EXPECT_LT(bytes.size(), 5000U);
  const auto file = input::arrays_of(as_file(bytes), "the file");
  EXPECT_EQ(entries(*file, *file->find("A")), Values(std::size_t{300} * 300, 0.0));
}

TEST(Npz, ABombIsRefusedBeforeItIsInflated) {
  // Of the same bytes, and a directory that is honest, or not, about how much comes of them.
  const std::size_t many = std::size_t{1} << 27;
  const ZipMember honest = deflated_zeros("A.npy", npy_raw(header("(2, 2)"), ""), many);
  const long before = peak_kib();
  EXPECT_PRED_FORMAT2(testing::IsSubstring,
                      "\"A\": is 134217856 bytes long, where a header of 128 and [2, 2] of float64",
                      refused_file(zip_bytes({honest})));
  ZipMember modest = honest;
  modest.size = 128 + 32;
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "\"A.npy\": ", refused_file(zip_bytes({modest})));
  ZipMember boastful = deflated_zeros("A.npy", npy_raw(header("(20000, 20000)"), ""), 1000);
  boastful.size = 128 + 3200000000U;
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "\"A.npy\": 3200000128 bytes cannot be deflated into",
                      refused_file(zip_bytes({boastful})));
  EXPECT_LT(peak_kib() - before, kMostKib);
}

TEST(Npz, RefusesArchivesThatLie) {
  const std::string npy = npy_bytes(kA);
  const auto changed = [&](auto change) {
    ZipMember member = stored("A.npy", npy);
    change(member);
    return zip_bytes({member});
  };
  const std::string whole = zip_bytes({stored("A.npy", npy)});
  const std::vector<std::pair<std::string, std::string>> hostile = {
      {changed([](ZipMember& m) { m.crc ^= 1; }), "\"A.npy\": CRC error"},
      {changed([](ZipMember& m) { m.data.back() ^= 1; }), "\"A.npy\": CRC error"},
      {changed([](ZipMember& m) { m.flags = 1; }), "\"A.npy\": is encrypted"},
      {changed([](ZipMember& m) { m.method = 12; }), "\"A.npy\": compression method 12; 0 (stored)"},
      {changed([](ZipMember& m) { m.method = 8; }), "\"A.npy\": "},
      {changed([](ZipMember& m) { m.name = "A"; }), "the entry \"A\" is no NAME.npy"},
      {changed([](ZipMember& m) { m.name = "archive/data.pkl"; }),
       "the entry \"archive/data.pkl\" is no NAME.npy"},
      {changed([](ZipMember& m) { m.size += 1; }),
       "\"A\": is 161 bytes long, where a header of 128 and [2, 2]"},
      {zip_bytes({stored("A.npy", npy.substr(0, 20))}), "\"A.npy\": ends before it should"},
      {zip_bytes({stored("A.npy", "")}), "\"A.npy\": ends before it should"},
      {zip_bytes({stored("A.npy", npy), stored("A.npy", npy)}), "\"A\": is there twice"},
      {zip_bytes({stored("A.npy", "no array at all")}), "\"A\": does not begin as a .npy array does"},
      {zip_bytes({stored("A.npy", npy_raw(header("(0, 2)"), ""))}),
       "\"A\": its shape is [0, 2]: it is empty"},
      {zip_bytes({stored("A.npy", npy_raw(header("(4294967296, 4294967296)"), ""))}), "\"A\": its shape is"},
      {zip_bytes({stored("A.npy", npy_raw("{'descr': '|O', 'fortran_order': False, 'shape': (1,)}", "c"))}),
       "\"A\": dtype \"|O\" is not read (Python objects are a pickle"},
      {zip_bytes({stored("A.npy", npy_bytes({"A", {2}, {1, 1 / 0.0}}))}),
       "\"A\", entry 2: inf is not finite"},
      {zip_bytes({}), "holds no array"},
      {"PK\x03\x04", "is no zip archive that can be read: "},
      {whole.substr(0, whole.size() - 1), "is no zip archive that can be read: "},
      {whole.substr(0, whole.size() / 2), "is no zip archive that can be read: "},
  };
  for (const auto& [bytes, part] : hostile) {
    const std::string message = refused_file(bytes);
    EXPECT_EQ(message.rfind("the file: ", 0), 0U) << message;
    EXPECT_PRED_FORMAT2(testing::IsSubstring, part, message);
  }
}

TEST(Npz, AnArrayThatIsNotReadDoesNotKeepTheOthersFromBeingRead) {
  const std::string bytes =
      zip_bytes({stored("who.npy", npy_raw("{'descr': '<U3', 'fortran_order': False, 'shape': (1,)}",
                                           std::string(12, 'a'))),
                 stored("A.npy", npy_bytes(kA))});
  const auto file = input::arrays_of(as_file(bytes), "the file");
  EXPECT_EQ(file->find("who")->dtype, "<U3");
  EXPECT_EQ(entries(*file, *file->find("A")), kA.values);
}

}  // namespace
}  // namespace mha::test
