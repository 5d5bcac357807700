#include "commands/expected_array.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "commands/heads.h"
#include "commands/pipeline.h"
#include "input/formats/open_arrays.h"
#include "input/layers/arrays.h"
#include "text/quote.h"

namespace mha::commands {
namespace {

std::string shape_of(Index parts, Index rows, Index cols) {
  return parts == 1 ? fmt::format("[{}, {}]", rows, cols) : fmt::format("[{}, {}, {}]", parts, rows, cols);
}

/// Every form of it that the inputs give.
std::vector<Computed> forms_of(const SharedLayer& layer, Target target) {
  if (target == Target::kA) {
    Computed weights{target, {}};
    for (const ShownHead& head : heads_of(layer, {}).shown) weights.parts.push_back(head.A);
    return {weights};
  }
  const Pipeline pipeline = pipeline_of(layer);
  if (target == Target::kO) return {{target, {pipeline.projections.front().O}}};
  std::vector<Computed> forms = {{target, {pipeline.O_concat}}};
  if (pipeline.H() > 1) forms.push_back({target, pipeline.head_outputs});
  return forms;
}

/// What an array without a telling name is.
std::optional<Target> usual_target(const attention::Layer& layer) {
  if (layer.W_O.size() > 0 || !layer.missing_W_O.empty()) return Target::kO;
  return layer.has_values() ? std::optional(Target::kOConcat) : std::nullopt;
}

struct Named {
  Target target;
  const input::ArrayInfo* array;
};

/// Which array of the file is meant, and what it is.
Named named_array(const ExpectedOptions& options, const input::ArrayFile& file,
                  const attention::Layer& layer) {
  const auto& arrays = file.arrays();
  const input::ArrayInfo* const only = arrays.size() == 1 ? &arrays.front() : nullptr;
  const auto find = [&](Target target) { return file.find(text::name_of(target)); };
  std::string held;
  for (const input::ArrayInfo& array : arrays) {
    if (held.size() < 100) held += (held.empty() ? "" : ", ") + text::quoted_key(array.name);
  }
  if (options.as) {
    const input::ArrayInfo* const array = find(*options.as) != nullptr ? find(*options.as) : only;
    if (array != nullptr) return {*options.as, array};
    throw std::invalid_argument(fmt::format("--as {}: {} holds no array of that name, and not one alone ({})",
                                            text::name_of(*options.as), file.name(), held));
  }
  const std::optional<Target> usual = usual_target(layer);
  std::vector<Named> named;
  for (const Target target : {Target::kO, Target::kOConcat, Target::kA}) {
    if (find(target) != nullptr) named.push_back({target, find(target)});
  }
  if (named.size() == 1) return named.front();
  for (const Named& one : named) {
    if (one.target == usual) return one;
  }
  if (!named.empty())
    throw std::invalid_argument(fmt::format("{}: holds {}; --as says which is meant", file.name(), held));
  if (only == nullptr)
    throw std::invalid_argument(
        fmt::format("{}: has no A, O or O_concat (the file holds {})", file.name(), held));
  if (!usual)
    throw std::invalid_argument(fmt::format(
        "{}: does not say what it is, and O or Concat cannot be computed without V; --as A compares it with A",
        input::place_of(file.name(), only->name)));
  return {*usual, only};
}

/// What is meant by O where there is no W_O.
Target resolved(Target target, const ExpectedOptions& options, const attention::Layer& layer) {
  if (target != Target::kO || layer.W_O.size() > 0) return target;
  if (!layer.missing_W_O.empty()) throw std::invalid_argument(layer.missing_W_O);
  if (options.as == Target::kO)
    throw std::invalid_argument(fmt::format("--as O: {} has no W_O; O_concat is what there is", layer.name));
  return Target::kOConcat;
}

/// The array as it would have to lie to be that; none if its sizes are others.
std::optional<input::Stack> fitting(const std::shared_ptr<const input::ArrayFile>& file,
                                    const input::ArrayInfo& array, const Computed& computed,
                                    const ExpectedOptions& options, const input::Pick& picked,
                                    const attention::Layer& layer) {
  const report::LazyMatrix& part = computed.parts.front();
  const auto heads = static_cast<Index>(computed.parts.size());
  const input::AxesOf axes = input::axes_of("expect-axes", options.axes);
  const std::size_t rank = array.shape.size();
  const bool of_heads = computed.target == Target::kA || heads > 1 ||
                        (computed.target == Target::kOConcat && rank == 4 && !picked.layer);
  // [B, T, T] of one head has the axes of tokens.
  const bool headless = !of_heads || (heads == 1 && rank == 3 && array.shape.front() != 1);
  const input::Axes order = computed.target == Target::kA ? input::kHeadAxes : axes.heads;
  const input::Axes chosen = headless ? axes.tokens : order;
  if (rank < 2 || rank > chosen.size()) return std::nullopt;
  // An array of one sequence is the one that was picked from the inputs.
  const std::size_t spare = chosen.size() - rank;
  std::string lies(chosen);
  for (std::size_t i = 0; i < spare; ++i) std::erase(lies, std::string_view("lbh")[i]);
  const auto size_of = [&](char axis) {
    const std::size_t at = lies.find(axis);
    return at == std::string::npos ? 1 : array.shape[at];
  };
  const Index sequences = size_of('b');
  if (sequences > 1 && sequences != layer.batches) return std::nullopt;
  if (size_of('l') > 1 && !picked.layer) return std::nullopt;
  input::Pick pick = picked;
  if (sequences == 1) pick.batch.reset();
  if (lies.find('l') == std::string::npos) pick.layer.reset();
  input::Stack stack(file, array, chosen, pick);
  const bool same = stack.heads() == heads && stack.rows() == part.rows() && stack.cols() == part.cols();
  return same ? std::optional(std::move(stack)) : std::nullopt;
}

}  // namespace

std::string Computed::name() const { return target == Target::kOConcat ? "Concat" : text::name_of(target); }

std::string Computed::name_and_shape() const {
  return fmt::format("{} {}", name(),
                     shape_of(static_cast<Index>(parts.size()), parts.front().rows(), parts.front().cols()));
}

Expected expected_array(const ExpectedOptions& options, const input::LayerOptions& input,
                        const SharedLayer& layer) {
  const std::string name = input::file_name("expect", options.path);
  const std::shared_ptr<const input::ArrayFile> file = input::open_arrays(options.path, name);
  const auto [named, array] = named_array(options, *file, *layer);
  const Target target = resolved(named, options, *layer);
  file->require_numbers(*array);
  std::vector<Computed> forms = forms_of(layer, target);
  // [T, H·d_v] comes first, and [B, T, H·d_v] may have the sizes of [H, T, d_v] by its rank only.
  for (Computed& form : forms) {
    if (std::optional<input::Stack> stack = fitting(file, *array, form, options, input.pick, *layer))
      return {std::move(form), array->dtype, *std::move(stack)};
  }
  std::string computed;
  for (const Computed& form : forms) computed += (computed.empty() ? "" : " or ") + form.name_and_shape();
  std::string hint;
  for (const input::AxisOrder order : {input::AxisOrder::kBthd, input::AxisOrder::kTbd}) {
    ExpectedOptions turned = options;
    turned.axes = {order};
    for (const Computed& form : forms) {
      if (hint.empty() && options.axes.empty() && fitting(file, *array, form, turned, input.pick, *layer))
        hint = fmt::format("; with --expect-axes {} it fits", text::name_of(order));
    }
  }
  for (const Target other : {Target::kO, Target::kOConcat, Target::kA}) {
    if (other == target || options.as || (other == Target::kO && layer->W_O.size() == 0) ||
        (other != Target::kA && !layer->has_values()))
      continue;
    for (const Computed& form : forms_of(layer, other)) {
      if (hint.empty() && fitting(file, *array, form, options, input.pick, *layer))
        hint = fmt::format("; it has the shape of {}, which --as {} compares it with", form.name(),
                           text::name_of(other));
    }
  }
  throw std::invalid_argument(fmt::format("{}: is {}; {} gives {}{}", input::place_of(name, array->name),
                                          input::shown_shape(array->shape),
                                          input::file_name("input", input.path), computed, hint));
}

}  // namespace mha::commands
