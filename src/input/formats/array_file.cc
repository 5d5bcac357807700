#include "input/formats/array_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "input/formats/place.h"

namespace mha::input {

ArrayFile::ArrayFile(std::string name) : name_(std::move(name)) {}
ArrayFile::~ArrayFile() = default;

void ArrayFile::add(ArrayInfo array) {
  static_cast<void>(entries_of(array.shape, place_of(name_, array.name)));
  if (!names_.emplace(array.name, arrays_.size()).second)
    throw std::invalid_argument(place_of(name_, array.name) + ": is there twice");
  arrays_.push_back(std::move(array));
}

const ArrayInfo* ArrayFile::find(std::string_view name) const {
  const auto found = names_.find(name);
  return found == names_.end() ? nullptr : &arrays_[found->second];
}

void ArrayFile::require_numbers(const ArrayInfo& array) const {
  check_numbers(names_.at(array.name));
  const std::string place = place_of(name_, array.name);
  if (entries_of(array.shape, place) == 0)
    refuse(place, fmt::format("its shape is {}: it is empty", shown_shape(array.shape)));
}

void ArrayFile::read(const ArrayInfo& array, Index first, std::span<double> values, Finite finite) const {
  require_numbers(array);
  const std::size_t number = names_.at(array.name);
  const Index entries = entries_of(array.shape, place_of(name_, array.name));
  if (first < 0 || first > entries || std::cmp_greater(values.size(), entries - first))
    throw std::out_of_range(fmt::format("{}: entries {} … {} of {}", place_of(name_, array.name), first,
                                        first + static_cast<Index>(values.size()) - 1, entries));
  read_entries(number, first, values);
  if (finite == Finite::kNotRequired) return;
  const auto bad =
      std::find_if(values.begin(), values.end(), [](double value) { return !std::isfinite(value); });
  if (bad == values.end()) return;
  const Index entry = first + (bad - values.begin());
  throw std::invalid_argument(
      fmt::format("{}: {} is not finite", place_of(name_, array.name, index_of(array.shape, entry)), *bad));
}

const std::vector<std::string>* ArrayFile::texts(std::string_view /*name*/) const { return nullptr; }

}  // namespace mha::input
