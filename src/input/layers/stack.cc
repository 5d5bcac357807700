#include "input/layers/stack.h"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>
#include <vector>

#include "input/formats/place.h"
#include "input/memory.h"
#include "text/field.h"

namespace mha::input {
namespace {

using text::field;

/// Which of `count` is meant, from 0. `what` is a batch or layers, `name` the field that picks one.
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

}  // namespace

Stack::Stack(std::shared_ptr<const ArrayFile> file, const ArrayInfo& array, const Pick& pick)
    : Stack(std::move(file), array, pick, true) {}

Stack Stack::headless(std::shared_ptr<const ArrayFile> file, const ArrayInfo& array, const Pick& pick) {
  return {std::move(file), array, pick, false};
}

Stack::Stack(std::shared_ptr<const ArrayFile> file, const ArrayInfo& array, const Pick& pick, bool has_heads)
    : file_(std::move(file)), array_(&array) {
  std::vector<Index> sizes = array.shape;
  const std::string what = fmt::format("{} is {}", place(), shown_shape(array.shape));
  const std::size_t most = has_heads ? 5 : 4;
  if (sizes.size() < 2 || sizes.size() > most)
    throw std::invalid_argument(
        fmt::format("{}; it has to be {}", what,
                    has_heads ? "[T, n], [H, T, n], [batch, H, T, n] or [layers, batch, H, T, n]"
                              : "[T, n], [batch, T, n] or [layers, batch, T, n]"));
  const auto take = [&]() -> std::optional<Index> {
    if (sizes.empty()) return std::nullopt;
    return std::exchange(sizes, std::vector<Index>(sizes.begin(), sizes.end() - 1)).back();
  };
  cols_ = *take();
  rows_ = *take();
  if (has_heads) heads_ = take().value_or(1);
  const std::optional<Index> batch = take();
  const std::optional<Index> layers = take();
  const Index layer = picked(pick.layer, layers, "layers", "layer", what);
  const Index sequence = picked(pick.batch, batch, "sequences", "batch", what);
  offset_ = (layer * batch.value_or(1) + sequence) * heads_ * rows_ * cols_;
}

Matrix Stack::matrix(Index h) const {
  require_memory(place(), static_cast<double>(rows_ * cols_) * sizeof(double));
  Matrix whole(rows_, cols_);
  read(h, 0, whole);
  return whole;
}

void Stack::read(Index h, Index first, Block rows) const {
  const auto width = static_cast<std::size_t>(cols_);
  const Index start = offset_ + (h * rows_ + first) * cols_;
  if (rows.outerStride() == cols_) {
    file_->read(*array_, start, {rows.data(), static_cast<std::size_t>(rows.rows()) * width});
    return;
  }
  for (Index r = 0; r < rows.rows(); ++r)
    file_->read(*array_, start + r * cols_, {rows.row(r).data(), width});
}

Matrix row_vector(const ArrayFile& file, const ArrayInfo& array) {
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
