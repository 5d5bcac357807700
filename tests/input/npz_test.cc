// .npz files: stored and deflated, and archives that lie.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "render/npz/npz_writer.h"
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
  const auto with = [&](auto change) {
    ZipMember member = stored("A.npy", npy);
    change(member);
    return zip_bytes({member});
  };
  const std::string whole = zip_bytes({stored("A.npy", npy)});
  const std::vector<std::pair<std::string, std::string>> hostile = {
      {with([](ZipMember& m) { m.crc ^= 1; }), "\"A.npy\": CRC error"},
      {with([](ZipMember& m) { m.data.back() ^= 1; }), "\"A.npy\": CRC error"},
      {with([](ZipMember& m) { m.flags = 1; }), "\"A.npy\": is encrypted"},
      {with([](ZipMember& m) { m.method = 12; }), "\"A.npy\": compression method 12; 0 (stored)"},
      {with([](ZipMember& m) { m.method = 8; }), "\"A.npy\": "},
      {zip_bytes({stored("A.npy", npy), stored("B", npy)}), "the entry \"B\" is not named NAME.npy"},
      {with([](ZipMember& m) { m.size += 1; }), "\"A\": is 161 bytes long, where a header of 128 and [2, 2]"},
      {zip_bytes({stored("A.npy", npy.substr(0, 20))}), "\"A.npy\": ends before it should"},
      {zip_bytes({stored("A.npy", "")}), "\"A.npy\": ends before it should"},
      {zip_bytes({stored("A.npy", npy), stored("A.npy", npy)}), "\"A\": is there twice"},
      {zip_bytes({stored("A.npy", "no array at all")}), "\"A\": does not begin like a .npy array"},
      {zip_bytes({stored("A.npy", npy_raw(header("(0, 2)"), ""))}),
       "\"A\": its shape is [0, 2]: it is empty"},
      {zip_bytes({stored("A.npy", npy_raw(header("(4294967296, 4294967296)"), ""))}), "\"A\": its shape is"},
      {zip_bytes({stored("A.npy", npy_raw("{'descr': '|O', 'fortran_order': False, 'shape': (1,)}", "c"))}),
       "\"A\": dtype \"|O\" is not read (Python objects are a pickle"},
      {zip_bytes({stored("A.npy", npy_bytes({"A", {2}, {1, 1 / 0.0}}))}),
       "\"A\", entry 2: inf is not finite"},
      {zip_bytes({}), "holds no array"},
      {"PK\x03\x04", "cannot be read as a zip archive: "},
      {whole.substr(0, whole.size() - 1), "cannot be read as a zip archive: "},
      {whole.substr(0, whole.size() / 2), "cannot be read as a zip archive: "},
  };
  for (const auto& [bytes, part] : hostile) {
    const std::string message = refused_file(bytes);
    EXPECT_EQ(message.rfind("the file: ", 0), 0U) << message;
    EXPECT_PRED_FORMAT2(testing::IsSubstring, part, message);
  }
}

/// The bytes with one of them changed.
std::string changed(std::string bytes, std::size_t at, char to) {
  bytes.at(at) = to;
  return bytes;
}

TEST(Npz, RefusesADirectoryAndHeadersThatContradict) {
  const std::string name = "A.npy";
  const std::string npy = npy_bytes(kA);
  const std::string whole = zip_bytes({stored(name, npy)});
  const std::size_t end = whole.size() - 22;
  const std::size_t entry = 30 + name.size() + npy.size();  // in the directory
  const std::string contradicts = "\"A.npy\": its header contradicts the archive's directory";
  const std::string misplaced = "\"A.npy\": its bytes are not where they should be";
  const std::string directory = "cannot be read as a zip archive: its directory ";
  ZipMember open_ended = deflated(name, npy);
  open_ended.data[0] = 0;  // not the last block
  ZipMember followed = deflated(name, npy);
  followed.data += "more";
  std::string twice = zip_bytes({stored(name, npy), stored("B.npy", npy)});
  twice[twice.size() - 22 - name.size() - 4] = 0;  // the offset of B becomes that of A
  twice[twice.size() - 22 - name.size() - 3] = 0;
  const std::vector<std::pair<std::string, std::string>> hostile = {
      {changed(whole, 0 + 6, 1), contradicts},    // flags: encrypted
      {changed(whole, 0 + 8, 8), contradicts},    // method
      {changed(whole, 0 + 14, 99), contradicts},  // checksum
      {changed(whole, 0 + 18, 99), contradicts},  // stored size
      {changed(whole, 0 + 22, 99), contradicts},  // size
      {changed(whole, 0 + 27, 99), misplaced},    // length of the name: beyond the file
      {changed(whole, 0 + 29, 99), misplaced},    // length of the extra fields
      {changed(whole, 30, 'B'), contradicts},
      {changed(whole, entry + 20 + 3, 1), misplaced},  // stored size
      {changed(whole, entry + 42, 1), misplaced},      // offset
      {changed(whole, entry + 42 + 3, 1), misplaced},
      {changed(whole, entry, 'p'), "entry 1 is missing"},
      {changed(whole, entry + 29, 1), directory + "is cut short"},
      {changed(whole, end + 8, 2),
       "it does not end as a whole one does"},  // two entries, of which one is here
      {changed(changed(whole, end + 8, 2), end + 10, 2), directory + "is cut short"},
      {changed(changed(whole, end + 8, 0), end + 10, 0), directory + "has more entries than its end says"},
      {changed(whole, end + 12, 1), directory + "is not where it should be"},
      {changed(whole, end + 16 + 3, 1), directory + "is not where it should be"},
      {changed(whole, end + 20, 1), "it does not end as a whole one does"},
      {whole + "more", "it does not end as a whole one does"},
      {zip_bytes({open_ended}), "\"A.npy\": ends before it should"},
      {zip_bytes({followed}), "\"A.npy\": bytes follow its end"},
      {twice, "\": its bytes are not where they should be"},
  };
  for (const auto& [bytes, part] : hostile)
    EXPECT_PRED_FORMAT2(testing::IsSubstring, part, refused_file(bytes));
  // A comment may follow, and the sizes may stand in the directory alone.
  const auto commented = changed(whole, end + 20, 4) + "more";
  EXPECT_EQ(entries(*input::arrays_of(as_file(commented), "the file"), {"A", "float64", {2, 2}}), kA.values);
  std::string following = whole;
  for (const std::size_t flags : {std::size_t{6}, entry + 8}) following[flags] = 1 << 3;
  following.replace(14, 12, 12, '\0');
  EXPECT_EQ(entries(*input::arrays_of(as_file(following), "the file"), {"A", "float64", {2, 2}}), kA.values);
}

TEST(Npz, RefusesAZip64EndThatLies) {
  std::string whole;
  render::NpzWriter writer([&whole](std::string_view more) { whole += more; });
  writer.begin("A", kA.shape);
  writer.append(kA.values);
  writer.finish();
  EXPECT_EQ(entries(*input::arrays_of(as_file(whole), "the file"), {"A", "float64", {2, 2}}), kA.values);
  const std::size_t locator = whole.size() - 22 - 20;
  const std::size_t end = locator - 56;
  const std::size_t extra = end - 28;  // of the one entry
  const std::vector<std::pair<std::string, std::string>> hostile = {
      {changed(whole, locator, 'p'), "its directory is not where it should be"},
      {changed(whole, locator + 8 + 7, 1), "its zip64 end is not where it should be"},
      {changed(whole, locator + 8, 0), "its zip64 end is not where it should be"},
      {changed(whole, end, 'p'), "its zip64 end is not where it should be"},
      {changed(whole, end + 16, 1), "it is one of several parts"},
      {changed(whole, end + 24 + 7, 1), "it is one of several parts"},
      {changed(changed(whole, end + 24 + 7, 1), end + 32 + 7, 1), "its directory is cut short"},
      {changed(whole, end + 40 + 7, 1), "its directory is not where it should be"},
      {changed(whole, end + 48 + 7, 1), "its directory is not where it should be"},
      {changed(whole, extra, 2), "\"A.npy\": its zip64 sizes are missing"},
      {changed(whole, extra + 2, 16), "\"A.npy\": its zip64 sizes are missing"},
      {changed(whole, extra + 4 + 7, 1), "bytes cannot be deflated into"},
      {changed(whole, extra + 12 + 7, 1), "\"A.npy\": its bytes are not where they should be"},
      {changed(whole, extra + 20 + 7, 1), "\"A.npy\": its bytes are not where they should be"},
  };
  for (const auto& [bytes, part] : hostile)
    EXPECT_PRED_FORMAT2(testing::IsSubstring, part, refused_file(bytes));
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
