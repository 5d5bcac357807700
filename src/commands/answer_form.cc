#include "commands/answer_form.h"

#include <fmt/format.h>

#include <cmath>

#include "input/answer_file.h"

namespace mha::commands {
namespace {

using lesson09::Answer;
using lesson09::Field;

/// A whole number without its `.0`, so that a count looks like one.
report::Value value(double x) {
  const bool count = x >= 0.0 && x <= 0x1p53 && x == std::floor(x);
  return count ? report::Value{static_cast<report::Count>(x)} : report::Value{x};
}

report::Value row_value(const Matrix& values, Index r) {
  report::List row;
  for (Index c = 0; c < values.cols(); ++c) row.push_back(value(values(r, c)));
  return {std::move(row)};
}

report::Value field_value(const Field& field, const Matrix& values) {
  if (field.shape == Field::Shape::kNumber) return value(values(0, 0));
  if (field.shape == Field::Shape::kList) return row_value(values, 0);
  report::List rows;
  for (Index r = 0; r < values.rows(); ++r) rows.push_back(row_value(values, r));
  return {std::move(rows)};
}

/// On one line. Only what field_value makes: counts, numbers, lists of them.
std::string json_text(const report::Value& value) {
  if (const auto* count = std::get_if<report::Count>(&value.data)) return fmt::to_string(*count);
  if (const auto* number = std::get_if<double>(&value.data)) return fmt::format("{}", *number);
  std::string text = "[";
  for (const report::Value& element : std::get<report::List>(value.data)) {
    text += (text.size() > 1 ? ", " : "") + json_text(element);
  }
  return text + "]";
}

}  // namespace

Answer placeholders(const std::vector<Field>& form) {
  Answer answer;
  for (const Field& field : form) answer[field.name] = field.placeholder;
  return answer;
}

report::Object answer_object(const std::vector<Field>& form, const Answer& answer) {
  report::Object object;
  for (const Field& field : form) object.push_back({field.name, field_value(field, answer.at(field.name))});
  return object;
}

std::vector<std::string> answer_lines(const std::vector<Field>& form, const Answer& answer) {
  std::vector<std::string> lines = {"{"};
  for (const report::Member& member : answer_object(form, answer)) {
    const bool last = lines.size() == form.size();
    lines.push_back(fmt::format("  \"{}\": {}{}", member.name, json_text(member.value), last ? "" : ","));
  }
  lines.emplace_back("}");
  return lines;
}

Answer read_answer(const std::vector<Field>& form, const std::string& path, const std::string& name) {
  std::vector<std::string> keys;
  keys.reserve(form.size());
  for (const Field& field : form) keys.push_back(field.name);
  const input::AnswerFile file(path, name, keys);
  Answer answer;
  for (const Field& field : form) {
    switch (field.shape) {
      case Field::Shape::kNumber:
        answer[field.name] = lesson09::number(file.number(field.name));
        break;
      case Field::Shape::kList:
        answer[field.name] = file.list(field.name, field.placeholder.cols());
        break;
      case Field::Shape::kMatrix:
        answer[field.name] = file.matrix(field.name);
        break;
    }
  }
  return answer;
}

}  // namespace mha::commands
