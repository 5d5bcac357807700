#include "input/formats/nested_list.h"

#include <fmt/format.h>

#include <algorithm>

#include "input/formats/place.h"
#include "input/formats/shape.h"
#include "input/formats/strict_json.h"

namespace mha::input {
namespace {

constexpr Index kUnknown = -1;

}  // namespace

std::vector<std::string> NestedList::place() const {
  // Which index is the row depends on how deep the numbers are.
  std::vector<Index> index = counts_;
  index.resize(std::max(counts_.size(), rank_.value_or(shape_.size())));
  std::vector<std::string> words = index_words(index);
  words.resize(counts_.size());
  return words;
}

void NestedList::begin_list() {
  if (!texts_.empty()) throw JsonComplaint("a list, where a string is needed");
  if (rank_ && counts_.size() == *rank_) throw JsonComplaint("a list is not a number");
  counts_.push_back(0);
  if (shape_.size() < counts_.size()) shape_.push_back(kUnknown);
}

void NestedList::end_list() {
  const Index size = counts_.back();
  counts_.pop_back();
  Index& known = shape_[counts_.size()];
  if (size == 0) throw JsonComplaint("is empty");
  if (known == kUnknown) known = size;
  if (known != size)
    throw JsonComplaint(fmt::format("its length is {}, but that of the first is {}", size, known));
  if (is_open()) ++counts_.back();
}

void NestedList::number(double value) {
  if (!texts_.empty()) throw JsonComplaint(fmt::format("{} is not a string", value));
  if (!rank_) rank_ = counts_.size();
  if (counts_.size() != *rank_) throw JsonComplaint(fmt::format("{} is not a list", value));
  values_.push_back(value);
  ++counts_.back();
}

void NestedList::text(const std::string& text) {
  if (!values_.empty() || shape_.size() != 1) throw JsonComplaint(quoted_key(text) + " is not a number");
  texts_.push_back(text);
  ++counts_.back();
}

}  // namespace mha::input
