#include "input/layers/arrays.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "input/formats/place.h"
#include "text/field.h"
#include "text/quote.h"

namespace mha::input {
namespace {

/// As many names as a message can list.
constexpr std::size_t kMostListed = 8;

}  // namespace

std::string file_name(std::string_view field, const std::string& path) {
  return text::field(field) + " " + text::in_quotes(path);
}

Arrays::Arrays(std::shared_ptr<const ArrayFile> file, std::string prefix, std::string nameless, Pick pick)
    : file_(std::move(file)), prefix_(std::move(prefix)), nameless_(std::move(nameless)), pick_(pick) {}

const ArrayInfo* Arrays::find(const std::string& name) const {
  const ArrayInfo* named = file_->find(prefix_ + name);
  return named == nullptr && name == nameless_ ? file_->find("") : named;
}

std::optional<Stack> Arrays::stack(const std::string& name) const {
  const ArrayInfo* array = find(name);
  return array == nullptr ? std::nullopt : std::optional(Stack(file_, *array, pick_));
}

Stack Arrays::needed_stack(const std::string& name, const std::string& why) const {
  std::optional<Stack> found = stack(name);
  if (!found)
    throw std::invalid_argument(fmt::format("{}: is not there, {}{}", place(name), why, holdings()));
  return *std::move(found);
}

Matrix Arrays::needed_matrix(const std::string& name, const std::string& why) const {
  Matrix found = matrix(name);
  if (found.size() == 0)
    throw std::invalid_argument(fmt::format("{}: is not there, {}{}", place(name), why, holdings()));
  return found;
}

Matrix Arrays::matrix(const std::string& name) const {
  const ArrayInfo* array = find(name);
  if (array == nullptr) return {};
  return Stack::headless(file_, *array, {}).matrix();
}

std::optional<Stack> Arrays::headless(const std::string& name) const {
  const ArrayInfo* array = find(name);
  return array == nullptr ? std::nullopt : std::optional(Stack::headless(file_, *array, pick_));
}

Matrix Arrays::row(const std::string& name) const {
  const ArrayInfo* array = find(name);
  return array == nullptr ? Matrix() : row_vector(*file_, *array);
}

std::string Arrays::place(const std::string& name) const { return place_of(file_->name(), prefix_ + name); }

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
