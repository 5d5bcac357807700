#include "input/layers/stack.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <stdexcept>
#include <utility>
#include <vector>

#include "input/formats/place.h"
#include "input/memory.h"
#include "text/field.h"

namespace mha::input {

using text::field;

Index picked(const std::optional<Index>& pick, std::optional<Index> count, const char* what, const char* name,
             const std::string& place) {
  if (!count) {
    if (pick)
      throw std::invalid_argument(fmt::format("{} {}: {}, which has no {}", field(name), *pick, place, what));
    return 0;
  }
  if (!pick) {
    if (*count == 1) return 0;
    throw std::invalid_argument(
        fmt::format("{}: {} of {}; {} 1 to {} picks one", place, what, *count, field(name), *count));
  }
  if (*pick > *count)
    throw std::invalid_argument(
        fmt::format("{} {}: {}, whose {} go from 1 to {}", field(name), *pick, place, what, *count));
  return *pick - 1;
}

std::string forms(Axes axes) {
  const auto form = [](Axes order) {
    constexpr std::string_view kLetters = "lbhtnrcio";
    constexpr std::array kWords = {"layers", "batch", "H", "T", "n", "rows", "columns", "in", "out"};
    std::vector<const char*> words;
    for (const char axis : order) words.push_back(kWords.at(kLetters.find(axis)));
    return fmt::format("[{}]", fmt::join(words, ", "));
  };
  std::string order(axes);
  std::vector<std::string> all = {form(order)};
  const bool of_tokens = axes.find('t') != Axes::npos;  // a projection has its heads or none
  for (const char axis : {'l', 'b', 'h'}) {
    if ((axis == 'l' || of_tokens) && std::erase(order, axis) > 0) all.insert(all.begin(), form(order));
  }
  const std::string last = all.back();
  all.pop_back();
  return all.empty() ? last : fmt::format("{} or {}", fmt::join(all, ", "), last);
}

Stack::Stack(std::shared_ptr<const ArrayFile> file, const ArrayInfo& array, Axes axes, const Pick& pick)
    : file_(std::move(file)), array_(&array) {
  file_->require_numbers(array);
  const std::string what = fmt::format("{} is {}", place(), shown_shape(array.shape));
  std::string order(axes);
  for (const char axis : {'l', 'b', 'h'}) {
    if (order.size() > array.shape.size()) std::erase(order, axis);
  }
  if (order.size() != array.shape.size())
    throw std::invalid_argument(fmt::format("{}; it has to be {}", what, forms(axes)));
  std::optional<Index> layers;
  std::optional<Index> batches;
  Index batch_stride = 0;
  Index layer_stride = 0;
  Index stride = 1;
  for (std::size_t i = order.size(); i-- > 0; stride *= array.shape[i]) {
    const Index size = array.shape[i];
    switch (order[i]) {
      case 'l':
        layers = size;
        layer_stride = stride;
        break;
      case 'b':
        batches = size;
        batch_stride = stride;
        break;
      case 'h':
        heads_ = size;
        head_stride_ = stride;
        break;
      case 't':
      case 'r':
        rows_ = size;
        row_stride_ = stride;
        break;
      default:
        cols_ = size;
    }
  }
  batches_ = batches.value_or(1);
  offset_ = picked(pick.layer, layers, "layers", "layer", what) * layer_stride +
            picked(pick.batch, batches, "sequences", "batch", what) * batch_stride;
}

Matrix Stack::matrix(Index h, Finite finite) const {
  require_memory(place(), static_cast<double>(rows_ * cols_) * sizeof(double));
  Matrix whole(rows_, cols_);
  read(h, 0, whole, finite);
  return whole;
}

void Stack::read(Index h, Index first, Block rows, Finite finite) const {
  const auto width = static_cast<std::size_t>(cols_);
  const Index start = offset_ + h * head_stride_ + first * row_stride_;
  if (rows.outerStride() == cols_ && row_stride_ == cols_) {
    file_->read(*array_, start, {rows.data(), static_cast<std::size_t>(rows.rows()) * width}, finite);
    return;
  }
  for (Index r = 0; r < rows.rows(); ++r)
    file_->read(*array_, start + r * row_stride_, {rows.row(r).data(), width}, finite);
}

Matrix row_vector(const ArrayFile& file, const ArrayInfo& array) {
  file.require_numbers(array);
  const bool flat = array.shape.size() == 1 || (array.shape.size() == 2 && array.shape[0] == 1);
  if (!flat)
    throw std::invalid_argument(fmt::format("{} is {}; it has to be [n]", place_of(file.name(), array.name),
                                            shown_shape(array.shape)));
  require_memory(place_of(file.name(), array.name), sizeof(double) * static_cast<double>(array.shape.back()));
  Matrix row(1, array.shape.back());
  file.read(array, 0, {row.data(), static_cast<std::size_t>(row.size())});
  return row;
}

}  // namespace mha::input
