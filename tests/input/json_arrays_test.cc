// Arrays in JSON: lists in lists, a list of heads, and what is refused with its line and its row.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/support/array_bytes.h"
#include "tests/support/array_reading.h"

namespace mha::test {
namespace {

using Values = std::vector<double>;

TEST(JsonArrays, ReadsListsInLists) {
  const std::string text =
      " {\"A\": [[1, 0],\n [0.25, -7.5e-1]], \"x\": [1, 2, 3], \"H\": [[[1], [2]], [[3], [4]], [[5], [6]]]}\n";
  const auto file = input::arrays_of(as_file(text), "the file");
  ASSERT_EQ(file->arrays().size(), 3U);
  EXPECT_EQ(file->arrays()[0].name, "A");
  EXPECT_EQ(file->arrays()[0].dtype, "float64");
  EXPECT_EQ(file->arrays()[0].shape, (std::vector<Index>{2, 2}));
  EXPECT_EQ(entries(*file, file->arrays()[0]), (Values{1, 0, 0.25, -0.75}));
  EXPECT_EQ(file->arrays()[1].shape, (std::vector<Index>{3}));
  EXPECT_EQ(file->arrays()[2].shape, (std::vector<Index>{3, 2, 1}));
  Values part(2);
  file->read(file->arrays()[2], 3, part);
  EXPECT_EQ(part, (Values{4, 5}));
}

TEST(JsonArrays, ReadsHeadsAndTexts) {
  const std::string text =
      R"({"heads": [{"name": "a<b", "Q": [[1]], "K": [[2]]}, {"Q": [[3, 4]]}], "tokens": ["<s>", "é日本", ""]})";
  const auto file = input::arrays_of(as_file(text), "the file");
  ASSERT_EQ(file->arrays().size(), 5U);
  EXPECT_EQ(file->find("tokens")->dtype, "string");
  EXPECT_EQ(file->find("tokens")->shape, std::vector<Index>{3});
  EXPECT_EQ(entries(*file, *file->find("heads[0].K")), Values{2});
  EXPECT_EQ(file->find("heads[1].Q")->shape, (std::vector<Index>{1, 2}));
  EXPECT_EQ(*file->texts("tokens"), (std::vector<std::string>{"<s>", "é日本", ""}));
  EXPECT_EQ(*file->texts("heads[0].name"), std::vector<std::string>{"a<b"});
  EXPECT_EQ(file->texts("heads[1].name"), nullptr);
  EXPECT_EQ(file->texts("heads[0].Q"), nullptr);
}

TEST(JsonArrays, ReadsScalarsAndTruths) {
  const std::string text =
      R"({"scale": 0.5, "causal": false, "rope_pairs": "half", "mask": [[true, false]]})";
  const auto file = input::arrays_of(as_file(text), "the file");
  ASSERT_EQ(file->arrays().size(), 4U);
  EXPECT_EQ(file->find("scale")->shape, std::vector<Index>());
  EXPECT_EQ(entries(*file, *file->find("scale")), Values{0.5});
  EXPECT_EQ(file->find("causal")->dtype, "bool");
  EXPECT_EQ(entries(*file, *file->find("causal")), Values{0});
  EXPECT_EQ(*file->texts("rope_pairs"), std::vector<std::string>{"half"});
  EXPECT_EQ(file->find("mask")->dtype, "bool");
  EXPECT_EQ(entries(*file, *file->find("mask")), (Values{1, 0}));
}

TEST(JsonArrays, ReadsObjectsWithinObjectsAndAListAlone) {
  const std::string text = R"({"a": {"b": {"Q": [[1]]}, "K": [[2]]}, "c": {}, "V": [[3]]})";
  const auto file = input::arrays_of(as_file(text), "the file");
  ASSERT_EQ(file->arrays().size(), 3U);
  EXPECT_EQ(entries(*file, *file->find("a.b.Q")), Values{1});
  EXPECT_EQ(entries(*file, *file->find("a.K")), Values{2});
  EXPECT_EQ(entries(*file, *file->find("V")), Values{3});
  const std::string list = "[[1, 0], [0.5, 0.5]]";
  const auto alone = input::arrays_of(as_file(list), "the file");
  EXPECT_EQ(entries(*alone, *alone->find("")), (Values{1, 0, 0.5, 0.5}));
}

/// Each of them by itself is refused, with its place, when it is read.
TEST(JsonArrays, WhatNobodyNeedsBlocksNoFile) {
  for (const char* const other : {"null", "[]", "[[1], 2]", "[1, [2, [3]]]", "[null, {}]", R"(["a", 1])",
                                  "[[], {}]", "[{}, [1]]", R"([["a"], [{"c": []}]])"}) {
    SCOPED_TRACE(other);
    const std::string text = std::string("{\"other\": ") + other + ", \"A\": [[1, 2]]}";
    const auto file = input::arrays_of(as_file(text), "the file");
    ASSERT_EQ(file->arrays().size(), 2U);
    EXPECT_EQ(entries(*file, *file->find("A")), (Values{1, 2}));
    const std::string message = refusal<std::invalid_argument>([&] { entries(*file, *file->find("other")); });
    EXPECT_TRUE(message.starts_with("the file: line 1, column ")) << message;
    EXPECT_PRED_FORMAT2(testing::IsSubstring, "\"other\"", message);
  }
}

TEST(JsonArrays, WhatIsNoNumberIsRefusedWithRowAndColumn) {
  const std::vector<std::pair<std::string, std::string>> hostile = {
      {"NaN",
       "the file: line 1, column 9: \"A\", row 1, column 1: invalid literal; a number has to be finite"},
      {"Infinity",
       "the file: line 1, column 9: \"A\", row 1, column 1: invalid literal; a number has to be finite"},
      {"1e999", "the file: line 1, column 13: \"A\", row 1, column 1: 1e999 is beyond the range of a double"},
      {"null", "the file: line 1, column 12: \"A\", row 1, column 1: null is not a number"},
      {"true", "the file: line 1, column 14: \"A\", row 1, column 2: 1 is neither true nor false"},
      {"\"1\"", "the file: line 1, column 11: \"A\", row 1, column 1: \"1\" is not a number"},
      {"{}",
       "the file: line 1, column 9: \"A\", row 1, column 1: an object, where lists of numbers are needed"},
  };
  for (const auto& [entry, message] : hostile)
    EXPECT_EQ(refused_file("{\"A\": [[" + entry + ",1],[1,1]]}"), message);
  EXPECT_EQ(refused_file("{\"A\": [[1, 2],\n [3, -1e999]]}"),
            "the file: line 2, column 11: \"A\", row 2, column 2: -1e999 is beyond the range of a double");
  EXPECT_EQ(refused_file("{\"heads\": [{\"Q\": [[1]]}, {\"Q\": [[1], [null]]}]}"),
            "the file: line 1, column 42: \"heads[1].Q\", row 2, column 1: null is not a number");
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "\"A\", slice 2, row 1, column 2: null is not a number",
                      refused_file("{\"A\": [[[1, 2]], [[1, null]]]}"));
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "\"A\", entry 2: null is not a number",
                      refused_file("{\"A\": [1, null]}"));
}

/// A name that has Inf or nan in it is no number that is not finite.
TEST(JsonArrays, OnlyAWordThatNamesNoNumberIsSaidToBeNone) {
  const std::vector<std::pair<std::string, std::string>> texts = {
      {R"({"A": [[1]], "finance" [1]})", "the file: line 1, column 24: unexpected '['; expected ':'"},
      {R"({"A": [[1]], "Info" 1})", "the file: line 1, column 21: unexpected number literal; expected ':'"},
      {R"({"A": [[0.5 0.5]], "Infant": 1})",
       "the file: line 1, column 15: unexpected number literal; expected ']'"},
      {R"({"A": [[banana]]})", "the file: line 1, column 9: invalid literal"},
      {R"({"A": [[1]], "\inf": 1})",
       "the file: line 1, column 16: invalid string: forbidden character after backslash"},
  };
  for (const auto& [text, message] : texts) EXPECT_EQ(refused_file(text), message);
  for (const char* const word :
       {"NaN", "nan", "-nan", "Inf", "-Inf", "inf", "-inf", "Infinity", "-Infinity"}) {
    EXPECT_PRED_FORMAT2(testing::IsSubstring, "; a number has to be finite",
                        refused_file(std::string(R"({"A": [[)") + word + "]]}"));
  }
}

TEST(JsonArrays, RefusesWhatIsNoArray) {
  const std::vector<std::pair<std::string, std::string>> hostile = {
      {"3", "line 1, column 1: 3 is not an object with arrays"},
      {"\"x\"", "\"x\" is not an object with arrays"},
      {"null", "null is not an object with arrays"},
      {"{}", "the file: holds no array"},
      {"{\"tokens\": [\"a\"]}", "\"tokens\": \"a\" is not a number"},
      {"{\"A\": \"x\"}", "\"A\": \"x\" is not a number"},
      {"{\"A\": null}", "\"A\": null is not a list of numbers"},
      {"{\"A\": [{\"B\": [1]}]}", "\"A\", entry 1: an object, where lists of numbers are needed"},
      {"{\"A\": [[1, 2], [3]]}", "\"A\", row 2: its length is 1, but that of the first is 2"},
      {"{\"A\": [[1, 2], [3, 4, 5]]}", "\"A\", row 2: its length is 3, but that of the first is 2"},
      {"{\"A\": [[[1], [2]], [[3]]]}", "\"A\", slice 2: its length is 1, but that of the first is 2"},
      {"{\"A\": [[[1], [2]], [[3], [4, 5]]]}",
       "\"A\", slice 2, row 2: its length is 2, but that of the first is 1"},
      {"{\"A\": [[1], 2]}", "\"A\", row 2: 2 is not a list"},
      {"{\"A\": [1, [2]]}", "\"A\", entry 2: a list is not a number"},
      {"{\"A\": [[1], [[2]]]}", "\"A\", row 2, column 1: a list is not a number"},
      {"{\"A\": []}", "\"A\": is empty"},
      {"{\"A\": [[]]}", "\"A\", row 1: is empty"},
      {"{\"A\": [[1], []]}", "\"A\", row 2: is empty"},
      {"{\"A\": [\"a\", 1]}", "\"A\", entry 2: 1 is not a string"},
      {"{\"A\": [1, \"a\"]}", "\"A\", entry 2: \"a\" is not a number"},
      {"{\"A\": [\"a\", [\"b\"]]}", "\"A\", entry 2: a list, where a string is needed"},
      {"{\"A\": [[\"a\"]]}", "\"A\", row 1, column 1: \"a\" is not a number"},
      {"{\"A\": [\"a\", null]}", "\"A\", entry 2: null is not a number"},
      {"{\"A\": [1], \"A\": [2]}", "line 1, column 12: \"A\" is given twice"},
      {"{\"heads\": []}", "\"heads[0]\": is empty"},
      {"{\"heads\": [[1]]}", "\"heads[0]\": a list, where a head's object is needed"},
      {"{\"heads\": [{\"Q\": [1]}, 2]}", "\"heads[1]\": 2 is not a head's object"},
      {"{\"heads\": [{\"Q\": \"x\"}]}", "\"heads[0].Q\": \"x\" is not a number"},
      {"{\"heads\": [{\"Q\": {}}]}", "\"heads[0].Q\": an object"},
      {"{\"heads\": [{\"Q\": [1]}], \"heads[0].Q\": [1]}", "\"heads[0].Q\": is there twice"},
      {"{\"heads\": [{\"name\": \"a\", \"name\": \"b\"}]}", "\"heads[0].name\": \"name\" is given twice"},
      {"{\"A\": [[1]}", "line 1, column 11"},
      {"{\"A\": [[1]]", "line 1, column 12"},
      {"{\"A\": [[1]]} x", "line 1, column 14"},
      {"{\"A\": [[1,]]}", "line 1, column 11"},
      {"{\"A\": " + std::string(100000, '['), "line 1, column 22: more than 16 levels"},
      {"\xEF\xBB\xBF{\"A\": [[1]]}", "line 1, column 1: a byte order mark"},
      {std::string("{\"A\": [[1]]}\0", 13), "line 1, column 13: a NUL byte"},
      {"{\"A\": [[\xFF]]}", "line 1, column 9"},
      {" \n ", "line 2, column 2"},
  };
  for (const auto& [text, part] : hostile) {
    SCOPED_TRACE(text.substr(0, 80));
    const std::string message = refused_file(text);
    EXPECT_EQ(message.rfind("the file: ", 0), 0U) << message;
    EXPECT_PRED_FORMAT2(testing::IsSubstring, part, message);
    EXPECT_LT(message.size(), 200U) << message;
  }
}

}  // namespace
}  // namespace mha::test
