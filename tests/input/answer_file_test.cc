// Answers as files: what is no answer is refused, with the file and the place.
#include "input/answer_file.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/refusal.h"
#include "tests/support/temporary_directory.h"

namespace mha::test {
namespace {

/// What reading `{"M": matrix, "L": three numbers, "N": number}` from that content is refused with.
std::string refused(const std::string& content) {
  const TemporaryFile file("answer.json", content);
  return refusal<std::invalid_argument>([&] {
    const input::AnswerFile answer(file.path(), "the file", {"M", "L", "N"});
    static_cast<void>(answer.matrix("M"));
    static_cast<void>(answer.list("L", 3));
    static_cast<void>(answer.number("N"));
  });
}

TEST(AnswerFile, ReadsNumbersListsAndMatrices) {
  const TemporaryFile file(
      "answer.json",
      " {\"N\": -1.5e-3,\r\n\t\"L\": [1, 2.5, 18446744073709551615], \"M\": [[1, 2], [3, 4], [5, 6]]}\n");
  const input::AnswerFile answer(file.path(), "the file", {"M", "L", "N"});
  EXPECT_EQ(answer.number("N"), -0.0015);
  const Matrix list = answer.list("L", 3);
  EXPECT_EQ(list(0, 1), 2.5);
  EXPECT_EQ(list(0, 2), 0x1p64);
  const Matrix M = answer.matrix("M");
  ASSERT_EQ(M.rows(), 3);
  ASSERT_EQ(M.cols(), 2);
  EXPECT_EQ(M(2, 0), 5.0);
}

TEST(AnswerFile, RefusesWhatIsNoAnswerWithItsPlace) {
  const std::string rest = ", \"L\": [1, 2, 3], \"N\": 1}";
  const std::vector<std::pair<std::string, std::vector<std::string>>> hostile = {
      {"", {"empty"}},
      {" ", {"line 1, column 2", "end of input"}},
      {"{", {"line 1, column 2"}},
      {"null", {"null is not an object"}},
      {"[1]", {"a list, where an object"}},
      {"\"x\"", {"\"x\" is not an object"}},
      {"{}", {"\"M\" is missing", "\"L\", \"N\""}},
      {"{\"M\": [[1]], \"N\": 1}", {"\"L\" is missing"}},
      {"{\"M\": [[1]], \"m\": 1" + rest, {"\"m\" is not asked for"}},
      {"{\"M\": [[1]], \"M\": [[2]]" + rest, {"line 1, column 14: \"M\" is given twice"}},
      {"{\"M\": {\"a\": 1, \"a\": 2}" + rest, {"\"M\": an object, where lists of numbers are needed"}},
      {"{\"M\": [[1]], \"N\\u0000\\u001b[31m\\n\": 1" + rest, {"\"N\\x00\\x1b[31m\\x0a\" is not asked for"}},
      {"{\"M\": [[NaN]]" + rest, {"line 1, column 9", "finite"}},
      {"{\"M\": [[nan]]" + rest, {"line 1, column", "finite"}},
      {"{\"M\": [[-Infinity]]" + rest, {"line 1, column 10", "finite"}},
      {"{\"M\": [[1e999]]" + rest, {"line 1, column 13: \"M\"", "1e999 is beyond"}},
      {"{\"M\": [[-1e999]]" + rest, {"\"M\"", "-1e999 is beyond"}},
      {"{\"M\": [[1" + std::string(400, '0') + "]]" + rest, {"\"M\"", "0… is beyond"}},
      {"{\"M\": [[01]]" + rest, {"line 1, column"}},
      {"{\"M\": [[.5]]" + rest, {"line 1, column 9"}},
      {"{\"M\": [[0x10]]" + rest, {"line 1, column"}},
      {"{\"M\": [[1,]]" + rest, {"line 1, column 11", "unexpected ']'"}},
      {"{\n \"M\": [[1]],\n 'L': 1}", {"line 3, column 2"}},
      {"{\"M\": [[1]]" + rest + " {}", {"line 1, column 38"}},
      {"\xEF\xBB\xBF{\"M\": [[1]]" + rest, {"line 1, column 1", "byte order mark"}},
      {"\xFF\xFE{", {"line 1, column 1"}},
      {"{\"M\": \"\xFF\"" + rest, {"line 1, column 8", "UTF-8"}},
      {"{\"é\": 1, x", {"line 1, column 10"}},
      {"{\"M\": " + std::string(100000, '['), {"line 1, column 22: ", "16 levels"}},
      {"{\"M\": 1,\n \"M\": 2" + rest, {"line 2, column 2: \"M\" is given twice"}},
      {std::string("{}\n\0{", 5), {"line 2, column 1: a NUL byte"}},
      {"{\"M\": 1" + rest, {"\"M\": a number is not a list of rows"}},
      {"{\"M\": [1]" + rest, {"\"M\": a list of numbers is not a list of rows"}},
      {"{\"M\": []" + rest, {"\"M\": is empty"}},
      {"{\"M\": [[]]" + rest, {"\"M\", row 1: is empty"}},
      {"{\"M\": [[1, 2], [3]]" + rest, {"\"M\", row 2: its length is 1, but that of the first is 2"}},
      {"{\"M\": [[1, 2], [3, 4, 5]]" + rest, {"\"M\", row 2: its length is 3"}},
      {"{\"M\": [[1, 2], [3, \"4\"]]" + rest, {"\"M\", row 2, column 2: \"4\" is not a number"}},
      {"{\"M\": [[1, null]]" + rest, {"\"M\", row 1, column 2: null is not a number"}},
      {"{\"M\": [[true]]" + rest, {"\"M\", row 1, column 1: true is not a number"}},
      {"{\"M\": [[[1]]]" + rest, {"\"M\": a list of lists of rows is not a list of rows"}},
      {"{\"M\": [[1]], \"L\": [1, 2], \"N\": 1}", {"\"L\": a list of 2, where 3 numbers"}},
      {"{\"M\": [[1]], \"L\": [1, 2, {}], \"N\": 1}",
       {"\"L\", entry 3: an object, where lists of numbers are needed"}},
      {"{\"M\": [[1]], \"L\": 3, \"N\": 1}", {"\"L\": a number is not a list of numbers"}},
      {"{\"M\": [[1]], \"L\": [1, 2, 3], \"N\": [1]}", {"\"N\": a list of numbers is not a number"}},
  };
  for (const auto& [content, parts] : hostile) {
    SCOPED_TRACE(content.substr(0, 80));
    const std::string message = refused(content);
    EXPECT_EQ(message.rfind("the file: ", 0), 0U) << message;
    EXPECT_LT(message.size(), 200U) << message;
    for (const char c : message) EXPECT_TRUE(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f) << message;
    for (const std::string& part : parts) EXPECT_PRED_FORMAT2(testing::IsSubstring, part, message);
  }
}

TEST(AnswerFile, RefusesWhatIsNoFile) {
  const auto refused_path = [](const std::string& path) {
    return refusal<std::invalid_argument>([&] { const input::AnswerFile answer(path, "the file", {"M"}); });
  };
  EXPECT_EQ(refused_path("/nonexistent/answer.json"), "the file: No such file or directory");
  EXPECT_EQ(refused_path(""), "the file: No such file or directory");
  EXPECT_EQ(refused_path(std::filesystem::temp_directory_path().string()), "the file: Is a directory");
  EXPECT_EQ(refused_path("/dev/null"), "the file: is empty");
  EXPECT_EQ(refused_path("/dev/zero"), "the file: is longer than 16 MiB") << "and has no end";
}

}  // namespace
}  // namespace mha::test
