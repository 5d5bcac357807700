#include "input/answer_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "input/formats/place.h"
#include "input/formats/strict_json.h"
#include "platform/files.h"

namespace mha::input {
namespace {

using nlohmann::json;

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

/// A value as a message shows it: itself where it is short, else what kind it is.
std::string shown(const json& value) {
  if (value.is_array()) return "a list";
  if (value.is_object()) return "an object";
  if (value.is_string()) return quoted_key(value.get<std::string>());
  return value.dump();
}

double finite(const json& value, const std::string& place) {
  if (!value.is_number()) refuse(place, fmt::format("{} is not a number", shown(value)));
  return value.get<double>();  // finite: strict_json refuses what overflows
}

const json& array(const json& value, const std::string& place, const char* of) {
  if (!value.is_array()) refuse(place, fmt::format("{} is not a list of {}", shown(value), of));
  return value;
}

std::string keys_of(const std::vector<std::string>& keys) {
  std::vector<std::string> quoted;
  quoted.reserve(keys.size());
  for (const std::string& key : keys) quoted.push_back(quoted_key(key));
  return fmt::format("{}", fmt::join(quoted, ", "));
}

}  // namespace

AnswerFile::AnswerFile(const std::string& path, std::string name, const std::vector<std::string>& keys)
    : name_(std::move(name)),
      content_(std::make_unique<const json>(strict_json(text_of(path, name_), name_))) {
  if (!content_->is_object())
    refuse(name_, fmt::format("{} where an object with {} is needed", shown(*content_), keys_of(keys)));
  for (const std::string& key : keys) {
    if (!content_->contains(key))
      refuse(name_, fmt::format("{} is missing; the keys are {}", quoted_key(key), keys_of(keys)));
  }
  for (const auto& [key, value] : content_->items()) {
    if (std::find(keys.begin(), keys.end(), key) == keys.end())
      refuse(name_, fmt::format("{} is not asked for; the keys are {}", quoted_key(key), keys_of(keys)));
  }
}

AnswerFile::~AnswerFile() = default;

double AnswerFile::number(const std::string& key) const {
  return finite(content_->at(key), fmt::format("{}: {}", name_, quoted_key(key)));
}

Matrix AnswerFile::list(const std::string& key, Index size) const {
  const std::string place = fmt::format("{}: {}", name_, quoted_key(key));
  const json& values = array(content_->at(key), place, "numbers");
  if (static_cast<Index>(values.size()) != size)
    refuse(place, fmt::format("a list of {}, where {} numbers are needed", values.size(), size));
  Matrix result(1, size);
  for (Index i = 0; i < size; ++i) {
    result(0, i) = finite(values[static_cast<std::size_t>(i)], fmt::format("{}, entry {}", place, i + 1));
  }
  return result;
}

Matrix AnswerFile::matrix(const std::string& key) const {
  const std::string place = fmt::format("{}: {}", name_, quoted_key(key));
  const json& rows = array(content_->at(key), place, "rows");
  if (rows.empty()) refuse(place, "has no rows");
  Matrix result;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const std::string row_place = fmt::format("{}, row {}", place, r + 1);
    const json& row = array(rows[r], row_place, "numbers");
    if (row.empty()) refuse(row_place, "is empty");
    if (r == 0) result.resize(static_cast<Index>(rows.size()), static_cast<Index>(row.size()));
    if (static_cast<Index>(row.size()) != result.cols())
      refuse(row_place, fmt::format("its length is {}, but that of row 1 is {}", row.size(), result.cols()));
    for (std::size_t c = 0; c < row.size(); ++c) {
      result(static_cast<Index>(r), static_cast<Index>(c)) =
          finite(row[c], fmt::format("{}, column {}", row_place, c + 1));
    }
  }
  return result;
}

}  // namespace mha::input
