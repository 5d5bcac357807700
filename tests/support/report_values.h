#pragma once

#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "render/text/text.h"
#include "report/report.h"

namespace mha::test {

/// The value of that name. Throws std::out_of_range, with the name, when there is none.
inline const report::Value& member(const report::Object& object, const std::string& name) {
  const report::Value* found = report::find(object, name);
  if (found == nullptr) throw std::out_of_range("no member is called " + name);
  return *found;
}

/// The same, as the type that it has to have.
template <typename Type>
const Type& member_as(const report::Object& object, const std::string& name) {
  return std::get<Type>(member(object, name).data);
}

/// Every element of a list, as the type that it has to have.
template <typename Type>
std::vector<Type> elements(const report::Value& value) {
  std::vector<Type> result;
  for (const report::Value& element : std::get<report::List>(value.data)) {
    result.push_back(std::get<Type>(element.data));
  }
  return result;
}

inline std::vector<std::string> names(const report::Object& object) {
  std::vector<std::string> result;
  for (const report::Member& member : object) result.push_back(member.name);
  return result;
}

/// A line as it prints, without its end.
inline std::string printed_line(const report::Line& line) {
  report::Report report("");
  report.lines = {line};
  std::ostringstream out;
  render::text(report, false, out);
  std::string text = out.str();
  text.pop_back();
  return text;
}

/// All rows, computed at once.
inline Matrix whole(const report::LazyMatrix& matrix) { return matrix.read(0, matrix.rows()); }

}  // namespace mha::test
