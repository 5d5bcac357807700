#pragma once

#include <map>
#include <string>
#include <vector>

#include "attention/matrix.h"
#include "report/report.h"

/// The lesson's exercises as data and functions: what is asked, the form of an answer, what judges it, and
/// how it is solved. Everything is computed when asked for; there is no table of answers.
namespace mha::lesson09 {

/// An answer, by the names of its exercise's form. A number is 1 × 1, a list of n is 1 × n.
using Answer = std::map<std::string, Matrix>;

/// One entry of the form that an answer has to have.
struct Field {
  enum class Shape {
    kNumber,
    kList,   ///< as long as the placeholder
    kMatrix  ///< of any size
  };
  std::string name;
  Shape shape;
  Matrix placeholder;  ///< what the template holds: well formed, and not right
};

/// One thing that a judge looked at.
struct Finding {
  bool ok;
  std::string text;  ///< one line, which never states the solution
};

/// An answer has passed when all findings are ok.
struct Judgement {
  std::vector<Finding> findings;
  report::Object numbers;  ///< what was computed from the answer
};

struct Solution {
  Answer answer;                    ///< in the exercise's form; passes its judge
  report::Object numbers;           ///< computed on the way
  std::vector<report::Line> lines;  ///< the numbers, and why they are so

  void add_text(const std::vector<std::string>& texts);  ///< to the lines
};

struct Exercise {
  std::string title;
  std::vector<std::string> task;
  std::string start;  ///< the command to begin with
  std::vector<std::string> hint;
  std::vector<Field> form;
  Solution (*solve)();
  /// Takes an answer of that form. Throws std::invalid_argument, naming the entry, for one that cannot be
  /// judged: shapes that do not fit each other, scores beyond a double.
  Judgement (*judge)(const Answer& answer);
};

/// Exercises 1 to 6, in order.
const std::vector<Exercise>& exercises();

/// A number as an answer holds it.
Matrix number(double value);

/// A list as an answer holds it.
Matrix list(const std::vector<double>& values);

/// Lines of text as lines of a report.
std::vector<report::Line> text_lines(const std::vector<std::string>& texts);

}  // namespace mha::lesson09
