#include "render/text/json.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>
#include <stdexcept>
#include <string>

#include "report/report.h"
#include "text/number.h"

namespace mha::render {
namespace {

/// The library's dump() makes a tree node and a string for each number; over T × T of them that took longer
/// than computing them.
void append_number(double number, std::string& line) {
  // The library would write null, and nobody would be told.
  if (!std::isfinite(number)) throw std::runtime_error("a result is not finite, which JSON cannot hold");
  text::append_as_double(number, line);
}

/// Announces every matrix of a document, for progress.
void plan(const report::Object& members);

void plan(const report::Value& value) {
  const auto whole = [](const report::LazyMatrix& matrix) { matrix.plan(matrix.rows()); };
  if (const auto* object = std::get_if<report::Object>(&value.data)) plan(*object);
  if (const auto* matrix = std::get_if<report::LazyMatrix>(&value.data)) whole(*matrix);
  if (const auto* vector = std::get_if<report::Vector>(&value.data)) whole(vector->column);
  if (const auto* list = std::get_if<report::List>(&value.data)) {
    for (const report::Value& element : *list) plan(element);
  }
}

void plan(const report::Object& members) {
  for (const report::Member& member : members) plan(member.value);
}

/// Writes the tree around the leaves; nlohmann_json writes each leaf. A document held whole in the
/// library's own tree would cost 16 bytes a number, and T × T of them do not fit.
class Writer {
 public:
  explicit Writer(std::ostream& out) : out_(out) {}

  void write(const report::Object& members) {
    open('{');
    for (const report::Member& member : members) {
      next();
      write(member.name);
      out_ << ": ";
      write(member.value);
    }
    close('}');
  }

 private:
  void write(const report::Value& value) {
    std::visit([this](const auto& data) { write(data); }, value.data);
  }
  void write(bool flag) { out_ << (flag ? "true" : "false"); }
  void write(report::Count count) { out_ << nlohmann::json(count).dump(); }
  /// A file's name may be no UTF-8: such bytes become U+FFFD.
  void write(const std::string& text) {
    out_ << nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }

  void write(double number) {
    line_.clear();
    append_number(number, line_);
    out_ << line_;
  }

  void write(const report::List& list) {
    const bool on_lines = std::any_of(list.begin(), list.end(), [](const report::Value& element) {
      return std::holds_alternative<report::Object>(element.data) ||
             std::holds_alternative<report::LazyMatrix>(element.data);
    });
    open('[');
    for (const report::Value& element : list) {
      next(on_lines);
      write(element);
    }
    close(']', on_lines);
  }

  void write(const report::Vector& vector) {
    open('[');
    vector.column.for_each_row(vector.column.rows(), [this](Index, const auto& row) {
      next(false);
      write(row[0]);
    });
    close(']', false);
  }

  void write(const report::LazyMatrix& matrix) {
    open('[');
    matrix.for_each_row(matrix.rows(), [this](Index, const auto& row) {
      next();
      line_ = '[';
      for (Index c = 0; c < row.size(); ++c) {
        if (c > 0) line_ += ", ";
        append_number(row[c], line_);
      }
      line_ += ']';
      out_ << line_;
    });
    close(']');
  }

  // Between brackets, elements have a line each or one line together.

  void open(char bracket) {
    out_ << bracket;
    indent_ += 2;
    empty_ = true;
  }

  void next(bool on_lines = true) {
    if (!empty_) out_ << (on_lines ? "," : ", ");
    if (on_lines) new_line();
    empty_ = false;
  }

  void close(char bracket, bool on_lines = true) {
    indent_ -= 2;
    if (on_lines && !empty_) new_line();
    out_ << bracket;
    empty_ = false;
  }

  void new_line() { out_ << '\n' << std::string(static_cast<std::size_t>(indent_), ' '); }

  std::ostream& out_;
  std::string line_;  ///< numbers on their way out; here so that its memory is kept
  int indent_ = 0;
  bool empty_ = true;  ///< nothing written yet inside the bracket opened last
};

report::Object as_object(const report::Report& report) {
  return {{"command", {report.command}}, {"parameters", {report.parameters}}, {"results", {report.results}}};
}

report::Object as_object(const report::Document& document) {
  if (document.is_one_command()) return as_object(document.scripts.front().steps.front());
  report::List list;
  for (const report::Script& script : document.scripts) {
    report::List steps;
    for (const report::Report& step : script.steps) steps.emplace_back(as_object(step));
    list.emplace_back(report::Object{{"script", script.name}, {"steps", std::move(steps)}});
  }
  return {{"command", "run"}, {"scripts", std::move(list)}};
}

}  // namespace

void json(const report::Document& document, std::ostream& out) {
  const report::Object object = as_object(document);
  plan(object);
  Writer(out).write(object);
  out << '\n';
}

}  // namespace mha::render
