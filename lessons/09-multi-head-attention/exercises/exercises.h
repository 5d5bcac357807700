#pragma once

#include <map>
#include <string>
#include <vector>

#include "attention/matrix.h"
#include "lessons/09-multi-head-attention/lesson.h"
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
  std::vector<Finding> findings = {};
  report::Object numbers = {};  ///< what was computed from the answer
};

struct Solution {
  Answer answer;                    ///< in the exercise's form; passes its judge
  report::Object numbers;           ///< computed on the way
  std::vector<report::Line> lines;  ///< the numbers, and why they are so
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

/// A number and a list as an answer holds them.
Matrix number(double value);
Matrix list(const std::vector<double>& values);

/// `too low` or `too high`.
std::string direction(double given, double right);

/// Compares a given list with the right one, entry by entry, within `tolerance`; `places` names the
/// entries. Adds to `judgement` a finding for those that are right and one for each that is not, with the
/// value given and what `describe` says of it, never the right one.
void compare_lists(const std::string& name, const std::vector<std::string>& places, const Matrix& given,
                   const Matrix& right, double tolerance, Judgement& judgement,
                   std::string (*describe)(double given, double right) = direction);

/// Exercise 1: which output channels depend on more than one head, for each W_O.
Exercise output_channels();

/// 2 × 4: how far channel d_c of the two-head pipeline's O (T = 4, gain 3) moves, at most over the rows,
/// when head h is silenced (V_h = 0). 0 exactly where the channel does not depend on that head.
Matrix moves_when_silenced(Projection projection);

/// 1 × 4: how many heads each output channel depends on.
Matrix heads_heard(Projection projection);

/// Exercise 2: d_k and the parameter count for d_model = 384 and H = 1, 2, 4, 6, 8, 12.
Exercise split_width();

/// Exercise 3: eight heads, of which heads 5 to 8 repeat heads 1 to 4.
Exercise replicated_heads();

/// The outputs O_h = A_h V of the eight heads at T = 6, gain 3. All see the same V = I (6 × 6), so that an
/// output shows the whole of A_h and two patterns cannot look alike by accident of V.
std::vector<Matrix> eight_outputs();

/// max over all entries of |∂L/∂Q_1 − ∂L/∂Q_5| for the loss L = ½ Σ O², O = [O_1, O_5] W_O, where head 5
/// repeats head 1, V is the position code of gain 1, and the blocks of W_O are I and ratio · I. A step of
/// gradient descent moves the two heads' queries apart by this much times its step size.
double gradient_gap(double ratio);

/// Exercise 4: a (Q, K) whose row 4 looks evenly at positions 1 and 3 and hardly at 2 and 4.
Exercise two_positions();

/// Exercise 5: the parameter count when H doubles and d_k stays at 64.
Exercise fixed_head_width();

/// Exercise 6: how the entropy of head 1 falls as its key grows.
Exercise sharper_head();

/// The entropy in bits of head 1's row t ≥ 1 (1-based) at that gain: of e^{gain/√2} against t − 1 ones.
double first_token_bits(Index t, double gain);

/// The smallest gain ≥ 0 at which head 1's row t blends fewer than `limit` > 1 positions, 2^bits < limit:
/// at the gain returned it does, at the double below it does not. 0 when it always does. By bisection; 2^bits
/// falls from t at gain 0 to 1 as the gain grows.
double smallest_gain(Index t, double limit);

}  // namespace mha::lesson09
