#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "report/explanation.h"
#include "report/figure.h"
#include "report/lazy_matrix.h"

/// What a command found, as data: values by name, and the lines to print. Nothing here rounds, pads or
/// colours; that is for src/render.
namespace mha::report {

using Count = std::uint64_t;

struct Value;
struct Member;
using List = std::vector<Value>;
using Object = std::vector<Member>;  ///< in the order in which the members were added

/// A named result, as JSON knows them.
struct Value {
  std::variant<bool, Count, double, std::string, Vector, LazyMatrix, List, Object> data;
};

struct Member {
  std::string name;
  Value value;
};

/// Numbers to be shown with a fixed number of decimals, since the source states them so.
struct Decimals {
  std::vector<double> values;
  int places;
};

/// Column heads and rows of cells, as many as there are heads.
struct Table {
  using Cell = std::variant<std::string, Count, Decimals>;
  std::vector<std::string> heads;
  std::vector<std::vector<Cell>> rows;
};

/// What one printed line is made of, joined by a blank: text, numbers, vectors, matrices, tables.
using Item = std::variant<std::string, Count, double, Vector, LazyMatrix, Table, Decimals>;
using Line = std::vector<Item>;

struct Report {
  std::string command;
  Object parameters;
  Object results;
  std::vector<Line> lines;
  std::vector<Figure> figures = {};  ///< drawn only where somebody asks for them
  bool ok = true;                    ///< false when the command is a check and the check failed
  std::string words = {};            ///< the command line that gives this, without the program's name
  Explanation explanation = {};      ///< empty where nobody asked for one
};

/// A script of the lesson: the commands that it is made of, in order.
struct Script {
  std::string name;
  std::vector<Report> steps;
  Explanation explanation = {};  ///< of the whole; empty where nobody asked for one
};

/// What one run of the program has to show: one command's report, or several scripts.
using Document = std::variant<Report, std::vector<Script>>;

/// False if the document is a check that failed.
inline bool all_ok(const Document& document) {
  const auto* report = std::get_if<Report>(&document);
  return report == nullptr || report->ok;
}

}  // namespace mha::report
