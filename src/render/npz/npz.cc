#include "render/npz/npz.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace mha::render {
namespace {

/// An array in parts that follow each other, or a text.
struct Array {
  std::string name;
  std::vector<Index> shape;
  std::vector<report::LazyMatrix> parts;
  std::string text = {};
};
using Arrays = std::vector<Array>;

Array* find(Arrays& arrays, const std::string& name) {
  const auto found =
      std::find_if(arrays.begin(), arrays.end(), [&](const Array& a) { return a.name == name; });
  return found == arrays.end() ? nullptr : &*found;
}

Arrays arrays_of(const report::Object& members);

Arrays arrays_of(const std::string& name, double number) {
  return {{name, {}, {Matrix(Matrix::Constant(1, 1, number))}}};
}
Arrays arrays_of(const std::string& name, bool yes) { return arrays_of(name, yes ? 1.0 : 0.0); }
Arrays arrays_of(const std::string& name, report::Count count) {
  const auto number = static_cast<double>(count);
  if (number >= 0x1p64 || static_cast<report::Count>(number) != count)
    throw std::invalid_argument(
        fmt::format("{} is {}, which no float64 of a .npz holds; JSON does", name, count));
  return arrays_of(name, number);
}
Arrays arrays_of(const std::string& name, const std::string& text) { return {{name, {}, {}, text}}; }
Arrays arrays_of(const std::string& name, const report::Vector& vector) {
  return {{name, {vector.column.rows()}, {vector.column}}};
}
Arrays arrays_of(const std::string& name, const report::LazyMatrix& matrix) {
  return {{name, {matrix.rows(), matrix.cols()}, {matrix}}};
}

Arrays arrays_of(const std::string& name, const report::Object& object) {
  Arrays arrays = arrays_of(object);
  for (Array& array : arrays) array.name = name + "." + array.name;
  return arrays;
}

/// What the elements of a list have under one name; null for one that has nothing.
Arrays stacked(const std::string& name, const std::vector<const Array*>& elements) {
  Array all{name, {}, {}};
  Arrays apart;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (elements[i] == nullptr || elements[i]->parts.empty()) continue;
    all.parts.insert(all.parts.end(), elements[i]->parts.begin(), elements[i]->parts.end());
    apart.push_back(*elements[i]);
    apart.back().name = fmt::format("{}_{}", name, i + 1);
  }
  const bool alike =
      apart.size() == elements.size() &&
      std::all_of(apart.begin(), apart.end(), [&](const Array& a) { return a.shape == apart[0].shape; });
  if (!alike) return apart;
  all.shape = apart.front().shape;
  all.shape.insert(all.shape.begin(), static_cast<Index>(apart.size()));
  return {std::move(all)};
}

Arrays arrays_of(const std::string& name, const report::List& list) {
  std::vector<Arrays> elements;
  std::vector<std::string> names;
  for (const report::Value& value : list) {
    const auto* const object = std::get_if<report::Object>(&value.data);
    elements.push_back(object != nullptr
                           ? arrays_of(*object)
                           : std::visit([&](const auto& data) { return arrays_of(name, data); }, value.data));
    for (const Array& array : elements.back()) {
      if (std::find(names.begin(), names.end(), array.name) == names.end()) names.push_back(array.name);
    }
  }
  Arrays arrays;
  for (const std::string& one : names) {
    std::vector<const Array*> same;
    for (Arrays& element : elements) same.push_back(find(element, one));
    for (Array& array : stacked(one, same)) arrays.push_back(std::move(array));
  }
  return arrays;
}

Arrays arrays_of(const report::Object& members) {
  Arrays arrays;
  for (const report::Member& member : members) {
    Arrays more =
        std::visit([&](const auto& data) { return arrays_of(member.name, data); }, member.value.data);
    for (Array& array : more) {
      if (find(arrays, array.name) != nullptr) array.name = member.name + "." + array.name;
      arrays.push_back(std::move(array));
    }
  }
  return arrays;
}

Arrays arrays_of(const report::Document& document) {
  if (document.is_one_command()) return arrays_of(document.scripts.front().steps.front().results);
  Arrays arrays;
  for (const report::Script& script : document.scripts) {
    for (const report::Report& step : script.steps) {
      for (Array& array : arrays_of(script.name + "." + step.command, step.results)) {
        // A script may be run twice, with the same results.
        if (find(arrays, array.name) == nullptr) arrays.push_back(std::move(array));
      }
    }
  }
  return arrays;
}

}  // namespace

void npz(const report::Document& document, const Sink& out) {
  const Arrays arrays = arrays_of(document);
  if (arrays.empty()) throw std::invalid_argument("a .npz holds arrays, and this result has none");
  for (const Array& array : arrays) {
    for (const report::LazyMatrix& part : array.parts) part.plan(part.rows());
  }
  NpzWriter writer(out);
  for (const Array& array : arrays) {
    if (array.parts.empty()) {
      writer.text(array.name, array.text);
      continue;
    }
    writer.begin(array.name, array.shape);
    for (const report::LazyMatrix& part : array.parts) {
      part.for_each_row(part.rows(), [&](Index /*r*/, const auto& row) {
        writer.append({row.data(), static_cast<std::size_t>(row.size())});
      });
    }
  }
  writer.finish();
}

}  // namespace mha::render
