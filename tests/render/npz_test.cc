// The arrays of a result: which there are, and what they are called.
#include "render/npz/npz.h"

#include <gtest/gtest.h>

#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/array_reading.h"

namespace mha::test {
namespace {

using report::List;
using report::Object;

struct Numbers {
  std::vector<Index> shape;
  std::vector<double> values;
  bool operator==(const Numbers&) const = default;
};
void PrintTo(const Numbers& numbers, std::ostream* out) {
  *out << testing::PrintToString(numbers.shape) << " " << testing::PrintToString(numbers.values);
}

std::string written(const report::Document& document) {
  std::string bytes;
  render::npz(document, [&bytes](std::string_view more) { bytes += more; });
  return bytes;
}

std::string written(const Object& results) {
  report::Report report("weights");
  report.results = results;
  return written(report::Document(report));
}

std::map<std::string, Numbers> numbers_in(const std::string& bytes) {
  const auto file = input::arrays_of(as_file(bytes), "the file");
  std::map<std::string, Numbers> found;
  for (const input::ArrayInfo& array : file->arrays()) {
    if (file->texts(array.name) == nullptr) found[array.name] = {array.shape, entries(*file, array)};
  }
  return found;
}

report::LazyMatrix matrix(Index rows, Index cols, double first) {
  return Matrix(Matrix::NullaryExpr(rows, cols, [&] { return first++; }));
}

using Found = std::map<std::string, Numbers>;

TEST(NpzOfResults, StacksWhatHeadsHaveInCommon) {
  const Object one = {{"head", 1}, {"name", "first"}, {"A", matrix(2, 3, 1)}};
  const Object other = {{"head", 2}, {"name", "second"}, {"A", matrix(2, 3, 7)}};
  EXPECT_EQ(numbers_in(written({{"heads", List{one, other}}})),
            (Found{{"head", {{2}, {1, 2}}}, {"A", {{2, 2, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}}}}));
  EXPECT_EQ(numbers_in(written({{"heads", List{other}}})).at("A"),
            (Numbers{{1, 2, 3}, {7, 8, 9, 10, 11, 12}}));
}

TEST(NpzOfResults, NumbersWhatHasAnotherShape) {
  const Object one = {{"Q", matrix(1, 2, 1)}, {"rank", 1}};
  const Object other = {{"Q", matrix(1, 3, 1)}};
  EXPECT_EQ(numbers_in(written({{"heads", List{one, other}}})),
            (Found{{"Q_1", {{1, 2}, {1, 2}}}, {"Q_2", {{1, 3}, {1, 2, 3}}}, {"rank_1", {{}, {1}}}}));
  EXPECT_EQ(numbers_in(written({{"heads", List{Object{}, one}}})).at("rank_2"), (Numbers{{}, {1}}));
}

TEST(NpzOfResults, HasNumbersListsAndVectors) {
  EXPECT_EQ(numbers_in(written({{"bits", report::Vector{matrix(3, 1, 5)}},
                                {"shape", List{4, 2}},
                                {"K", List{matrix(1, 1, 3), matrix(1, 1, 4)}},
                                {"count", 7},
                                {"share", 0.25},
                                {"ok", true},
                                {"none", List{}},
                                {"slips", List{"a", "b"}},
                                {"at", Object{{"row", 3}}}})),
            (Found{{"bits", {{3}, {5, 6, 7}}},
                   {"shape", {{2}, {4, 2}}},
                   {"K", {{2, 1, 1}, {3, 4}}},
                   {"count", {{}, {7}}},
                   {"share", {{}, {0.25}}},
                   {"ok", {{}, {1}}},
                   {"at.row", {{}, {3}}}}));
}

TEST(NpzOfResults, HasATextThatStandsAlone) {
  const std::string bytes = written({{"compared", "O"}});
  EXPECT_EQ(*input::arrays_of(as_file(bytes), "the file")->texts("compared"), std::vector<std::string>{"O"});
}

TEST(NpzOfResults, HasListsInLists) {
  const auto at = [](double gain, double first) {
    return Object{
        {"gain", gain},
        {"heads", List{Object{{"A", matrix(1, 1, first)}}, Object{{"A", matrix(1, 1, first + 1)}}}}};
  };
  EXPECT_EQ(numbers_in(written({{"series", List{at(3, 1), at(6, 3), at(9, 5)}}})),
            (Found{{"gain", {{3}, {3, 6, 9}}}, {"A", {{3, 2, 1, 1}, {1, 2, 3, 4, 5, 6}}}}));
}

TEST(NpzOfResults, PutsTheListBeforeANameThatIsTaken) {
  EXPECT_EQ(numbers_in(written({{"bits", 1}, {"pairs", List{Object{{"bits", 2}}}}})),
            (Found{{"bits", {{}, {1}}}, {"pairs.bits", {{1}, {2}}}}));
}

TEST(NpzOfResults, PutsScriptAndCommandBeforeTheNamesOfSeveral) {
  report::Report one("weights");
  one.results = {{"A", matrix(1, 1, 2)}};
  report::Report other("rank");
  other.results = {{"A", matrix(1, 1, 3)}};
  const report::Script script{"first", {}, {one, other}};
  EXPECT_EQ(numbers_in(written(report::Document({}, {script, script}))),
            (Found{{"first.weights.A", {{1, 1}, {2}}}, {"first.rank.A", {{1, 1}, {3}}}}));
}

TEST(NpzOfResults, RefusesWhatItCannotHold) {
  EXPECT_THROW(written(Object{}), std::invalid_argument);
  EXPECT_THROW(written({{"what", List{"a"}}}), std::invalid_argument);
  constexpr report::Count kExact = report::Count{1} << 62;
  EXPECT_EQ(numbers_in(written({{"n", kExact}})), (Found{{"n", {{}, {0x1p62}}}}));
  EXPECT_THROW(written({{"n", kExact + 1}}), std::invalid_argument);
  EXPECT_THROW(written({{"n", ~report::Count{0}}}), std::invalid_argument);
}

}  // namespace
}  // namespace mha::test
