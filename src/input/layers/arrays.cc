#include "input/layers/arrays.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "input/formats/open_arrays.h"
#include "input/formats/place.h"
#include "input/memory.h"
#include "text/field.h"
#include "text/quote.h"

namespace mha::input {
namespace {

/// As many names as a message can list.
constexpr std::size_t kMostListed = 8;

bool is_file(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

}  // namespace

std::string file_name(std::string_view field, const std::string& path) {
  return text::field(field) + " " + text::in_quotes(path);
}

std::string array_place(const Found& found) { return place_of(found.file->name(), found.array->name); }

std::vector<double> all_entries(const Found& found, Finite finite) {
  found.file->require_numbers(*found.array);
  const Index count = entries_of(found.array->shape, array_place(found));
  require_memory(array_place(found), static_cast<double>(count) * sizeof(double));
  std::vector<double> values(static_cast<std::size_t>(count));
  found.file->read(*found.array, 0, values, finite);
  return values;
}

Matrix row_of_size(const Found& found, Index size, const std::string& what) {
  const std::vector<double> values = all_entries(found);
  if (static_cast<Index>(values.size()) != size)
    refuse(array_place(found), fmt::format("its shape is {}; it has to have {} numbers, {}",
                                           shown_shape(found.array->shape), size, what));
  return Eigen::Map<const Matrix>(values.data(), 1, size);
}

Arrays::Arrays(std::shared_ptr<const ArrayFile> file, std::string prefix, std::string letter_of_only,
               Pick pick)
    : file_(std::move(file)),
      prefix_(std::move(prefix)),
      letter_of_only_(std::move(letter_of_only)),
      pick_(pick) {}

void Arrays::map(const std::vector<std::string>& names) {
  for (const std::string& one : names) {
    const std::size_t equals = one.find('=');
    const std::string name = one.substr(0, equals);
    const std::string place = fmt::format("{} {}", text::field("map"), text::in_quotes(one));
    if (equals == 0 || equals >= one.size() - 1)
      refuse(place, "is not NAME=ARRAY, NAME=FILE:ARRAY or NAME=FILE");
    const std::string value = one.substr(equals + 1);
    Found found{file_, file_->find(value)};
    if (found.array == nullptr) {
      const std::size_t colon = value.rfind(':');
      const bool whole = colon == std::string::npos || is_file(value);
      const std::string path = whole ? value : value.substr(0, colon);
      if (whole && !is_file(path))
        refuse(place, fmt::format("there is no array and no file {}{}", text::in_quotes(value), holdings()));
      found.file = open_arrays(path, file_name("map", path));
      const auto& arrays = found.file->arrays();
      found.array = whole ? (arrays.size() == 1 ? &arrays.front() : nullptr)
                          : found.file->find(value.substr(colon + 1));
      if (found.array == nullptr)
        refuse(place, fmt::format("the file has {} arrays{}", arrays.size(),
                                  whole ? "; FILE:ARRAY picks one" : ", and none of that name"));
    }
    if (!mapped_.emplace(name, found).second) refuse(place, quoted_key(name) + " is given twice");
  }
}

Found Arrays::find(const std::string& name) const {
  if (const auto found = mapped_.find(name); found != mapped_.end()) return found->second;
  const ArrayInfo* named = file_->find(prefix_ + name);
  if (named == nullptr && name == letter_of_only_)
    named = file_->arrays().size() == 1 ? &file_->arrays().front() : file_->find("");
  return {file_, named};
}

Found Arrays::find_beside(const std::string& name) const {
  const Found found = find(name);
  return found.array != nullptr || mapped_.contains(name) ? found : Found{file_, file_->find(name)};
}

bool Arrays::is_mapped(const ArrayInfo& array) const {
  return std::any_of(mapped_.begin(), mapped_.end(),
                     [&](const auto& one) { return one.second.array == &array; });
}

std::vector<std::string> Arrays::mapped_names() const {
  std::vector<std::string> names;
  for (const auto& one : mapped_) names.push_back(one.first);
  return names;
}

std::optional<Stack> Arrays::stack(const std::string& name, Axes axes) const {
  const auto [file, array] = find(name);
  return array == nullptr ? std::nullopt : std::optional(Stack(file, *array, axes, pick_));
}

Stack Arrays::needed_stack(const std::string& name, const std::string& why, Axes axes) const {
  std::optional<Stack> found = stack(name, axes);
  if (!found) throw std::invalid_argument(missing(name, why));
  return *std::move(found);
}

Matrix Arrays::needed_matrix(const std::string& name, const std::string& why) const {
  Matrix found = matrix(name);
  if (found.size() == 0) throw std::invalid_argument(missing(name, why));
  return found;
}

Matrix Arrays::matrix(const std::string& name) const {
  const auto [file, array] = find(name);
  return array == nullptr ? Matrix() : Stack(file, *array, kProjectionAxes, {}).matrix();
}

Matrix Arrays::row(const std::string& name) const {
  const auto [file, array] = find(name);
  return array == nullptr ? Matrix() : row_vector(*file, *array);
}

std::string Arrays::place(const std::string& name) const {
  const auto [file, array] = find(name);
  return place_of(file->name(), array != nullptr && !array->name.empty() ? array->name : prefix_ + name);
}

std::string Arrays::missing(const std::string& name, const std::string& why) const {
  return fmt::format("{}: is not there, {}{}", place(name), why, holdings());
}

std::string Arrays::holdings() const {
  std::string list;
  const std::vector<ArrayInfo>& arrays = file_->arrays();
  for (std::size_t i = 0; i < std::min(arrays.size(), kMostListed); ++i) {
    list += (i == 0 ? "" : ", ") +
            (arrays[i].name.empty() ? "one array without a name" : quoted_key(arrays[i].name));
  }
  if (arrays.size() > kMostListed) list += fmt::format(" and {} more", arrays.size() - kMostListed);
  return fmt::format(" (the file holds {})", list.empty() ? "no array" : list);
}

}  // namespace mha::input
