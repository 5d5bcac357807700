#include "input/answer_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <stdexcept>
#include <system_error>

#include "input/formats/open_arrays.h"
#include "input/formats/place.h"
#include "platform/files.h"

namespace mha::input {
namespace {

/// The content of the file, or of standard input for `-`.
std::string text_of(const std::string& path, const std::string& name) {
  constexpr std::size_t kLongest = std::size_t{16} << 20;  // no answer is as long
  std::string text;
  try {
    text = platform::read_to_end(path, kLongest);
  } catch (const std::system_error& e) {
    refuse(name, e.code().message());
  }
  if (text.size() > kLongest) refuse(name, "is longer than 16 MiB");
  if (text.empty()) refuse(name, "is empty");
  return text;
}

std::string keys_of(const std::vector<std::string>& keys) {
  std::vector<std::string> quoted;
  for (const std::string& key : keys) quoted.push_back(quoted_key(key));
  return fmt::format("the keys are {}", fmt::join(quoted, ", "));
}

/// What is wrong with a file is told with what it should hold.
std::unique_ptr<ArrayFile> answers_of(const std::string& text, const std::string& name,
                                      const std::vector<std::string>& keys) {
  try {
    return json_answers(text, name);
  } catch (const std::invalid_argument& e) {
    throw std::invalid_argument(fmt::format("{}; {}", e.what(), keys_of(keys)));
  }
}

}  // namespace

AnswerFile::AnswerFile(const std::string& path, const std::string& name, const std::vector<std::string>& keys)
    : file_(answers_of(text_of(path, name), name, keys)) {
  for (const std::string& key : keys) {
    if (file_->find(key) == nullptr) refuse(name, quoted_key(key) + " is missing; " + keys_of(keys));
  }
  for (const ArrayInfo& array : file_->arrays()) {
    if (std::find(keys.begin(), keys.end(), array.name) == keys.end())
      refuse(name, quoted_key(array.name) + " is not asked for; " + keys_of(keys));
  }
}

Matrix AnswerFile::numbers(const std::string& key, std::size_t rank) const {
  constexpr std::array kKinds = {"a number", "a list of numbers", "a list of rows",
                                 "a list of lists of rows"};
  const ArrayInfo& array = *file_->find(key);
  const std::size_t given = array.shape.size();
  if (given != rank)
    refuse(place_of(file_->name(), key),
           fmt::format("{} is not {}", kKinds[std::min(given, kKinds.size() - 1)], kKinds[rank]));
  Matrix numbers(rank == 2 ? array.shape[0] : 1, rank == 0 ? 1 : array.shape.back());
  file_->read(array, 0, std::span(numbers.data(), static_cast<std::size_t>(numbers.size())));
  return numbers;
}

double AnswerFile::number(const std::string& key) const { return numbers(key, 0)(0, 0); }

Matrix AnswerFile::list(const std::string& key, Index size) const {
  Matrix list = numbers(key, 1);
  if (list.cols() != size)
    refuse(place_of(file_->name(), key),
           fmt::format("a list of {}, where {} numbers are needed", list.cols(), size));
  return list;
}

Matrix AnswerFile::matrix(const std::string& key) const { return numbers(key, 2); }

}  // namespace mha::input
