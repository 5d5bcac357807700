#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "report/figure.h"
#include "report/lazy_matrix.h"

/// What a command found, as data: values by name, and the lines to print. Nothing here rounds, pads or
/// colours; src/render does that.
///
/// Copying and destroying these types is compiled once, in report.cc: when every file that uses them did it,
/// it took a third of a command's compile time.
namespace mha::report {

using Count = std::uint64_t;

/// A whole number that may be given as a Count: any integer but bool, and not below 0.
template <typename T>
concept Whole = std::integral<T> && !std::same_as<T, bool>;

struct Value;
struct Member;
using List = std::vector<Value>;
using Object = std::vector<Member>;  ///< in order of addition

/// A result, as in JSON.
struct Value {
  Value(bool yes);
  Value(double number);
  Value(const char* text);
  Value(std::string text);
  Value(Vector vector);
  Value(LazyMatrix matrix);
  Value(List list);
  Value(Object object);
  template <Whole T>
  Value(T count) : Value(Counted{static_cast<Count>(count)}) {}
  Value(const Value& other);
  Value(Value&& other) noexcept;
  Value& operator=(const Value& other);
  Value& operator=(Value&& other) noexcept;
  ~Value();

  std::variant<bool, Count, double, std::string, Vector, LazyMatrix, List, Object> data;

 private:
  struct Counted {
    Count count;
  };
  explicit Value(Counted counted);
};

struct Member {
  Member(const char* n, Value v);
  Member(std::string n, Value v);
  Member(const Member& other);
  Member(Member&& other) noexcept;
  Member& operator=(const Member& other);
  Member& operator=(Member&& other) noexcept;
  ~Member();

  std::string name;
  Value value;
};

/// The member of that name; null if there is none.
const Value* find(const Object& object, const std::string& name);

/// Numbers shown with a fixed number of decimals, because their source states them so.
struct Decimals {
  std::vector<double> values;
  int places;
};

/// Column headings and rows of cells, a cell for each heading.
struct Table {
  using Cell = std::variant<std::string, Count, Decimals>;
  std::vector<std::string> headings;
  std::vector<std::vector<Cell>> rows;
};

/// One piece of a printed line.
struct Item {
  Item(double number);
  Item(const char* text);
  Item(std::string text);
  Item(Vector vector);
  Item(LazyMatrix matrix);
  Item(Table table);
  Item(Decimals decimals);
  template <Whole T>
  Item(T count) : Item(Counted{static_cast<Count>(count)}) {}
  Item(const Item& other);
  Item(Item&& other) noexcept;
  Item& operator=(const Item& other);
  Item& operator=(Item&& other) noexcept;
  ~Item();

  std::variant<std::string, Count, double, Vector, LazyMatrix, Table, Decimals> data;

 private:
  struct Counted {
    Count count;
  };
  explicit Item(Counted counted);
};

/// A printed line: its items, joined by a blank.
using Line = std::vector<Item>;

/// The equations that a page can show.
enum class Equation {
  kAttentionWeights,  ///< A_h = softmax(Q_h K_hᵀ / √d_k + M), with the layer's scale, softcap and mask
  kScoreRank,         ///< rank(Q_h K_hᵀ) ≤ d_k
  kScoreFlops,        ///< 2 T² d = H · 2 T² d/H
  kRowEntropy,        ///< H(t) = −Σ a_ti log₂ a_ti ≤ log₂ t, or n where a query may see n keys
  kConcat,            ///< O = Concat(A_1 V_1, …, A_H V_H) W_O + b_O, as far as there are W_O and b_O
  kParameters,        ///< 3 d_model H d_k + H d_v d_model = 4 d_model²
  kFilterBank,        ///< Concat · W_O = Σ_h A_h X W_V^h W_O^(h), or with V_h, and b_O on both sides
  kCausalPairs,       ///< T(T + 1)/2 pairs, 2 d_k FLOPs each, H heads
};

/// A command to try, and what it shows.
struct NextStep {
  /// Which runs a step is for.
  enum class After {
    kLesson,  ///< those of the lesson's heads
    kFile,    ///< those with --input: the step goes on with it and the options that belong to it
    kAny,
  };
  std::string command_line;  ///< without the program's name
  std::string shows;
  After after = After::kLesson;
};

/// What equations say of the layer that a page is about; the lesson's unless told otherwise.
struct Attends {
  bool masked = true;                  ///< M is added
  bool sees_its_past = true;           ///< query t may see t keys
  bool has_X = true;                   ///< V_h is X W_V^h
  bool has_W_O = true;                 ///< Concat is multiplied by W_O
  bool has_b_O = false;                ///< and b_O added
  std::optional<double> scale = {};    ///< instead of 1/√d_k
  std::optional<double> softcap = {};  ///< C: scores become C tanh(score / C)
};

/// What a page explains beside the numbers, for a reader who has only the page. Plain sentences, no
/// formatting.
struct Explanation {
  std::string title;
  std::string shows;  ///< what the page shows, in a sentence or two; letters written as d_k, W_O
  std::vector<Equation> equations = {};
  std::vector<NextStep> next = {};
  std::string letters = {};  ///< what the letters stand for, shown at the top of the page
  Attends attends = {};
};

struct Report {
  explicit Report(std::string name, Object given = {});
  Report(const Report& other);
  Report(Report&& other) noexcept;
  Report& operator=(const Report& other);
  Report& operator=(Report&& other) noexcept;
  ~Report();

  std::string command;
  Object parameters;
  Object results;
  std::vector<Line> lines;
  std::vector<Figure> figures;     ///< drawn only on request
  std::vector<std::string> notes;  ///< for standard error
  bool ok = true;                  ///< false when the command is a check and the check failed
  std::string command_line;        ///< reproduces this report; without the program's name
  Explanation explanation;
};

/// A script of the lesson: the commands that it is made of, in order.
struct Script {
  std::string name;
  Explanation explanation;
  std::vector<Report> steps;
};

/// The result of one run of the program: the scripts of the lesson, or one command alone, which is a
/// script without a name.
struct Document {
  Document(Report report);
  Document(Explanation of_all, std::vector<Script> parts);

  std::string command_line;  ///< of the whole
  Explanation explanation;   ///< of the whole
  std::vector<Script> scripts;

  /// Whether one command was run by itself.
  [[nodiscard]] bool is_one_command() const { return scripts.front().name.empty(); }
  /// False if some report is a check that failed.
  [[nodiscard]] bool ok() const;
  /// Every figure, in order.
  [[nodiscard]] std::vector<Figure> figures() const;
};

}  // namespace mha::report
