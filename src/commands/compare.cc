#include "commands/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <utility>
#include <vector>

#include "commands/heads.h"
#include "commands/pipeline.h"
#include "input/formats/open_arrays.h"
#include "input/layers/arrays.h"

namespace mha::commands {
namespace {

/// Something that can be computed from the inputs, a matrix for each head or one.
struct Computed {
  std::string name;                ///< A, Concat, O
  std::vector<std::string> names;  ///< of an array that is it
  std::vector<report::LazyMatrix> parts;
};

std::string shape_of(const Computed& computed) {
  const report::LazyMatrix& part = computed.parts.front();
  return computed.parts.size() == 1
             ? fmt::format("{} [{}, {}]", computed.name, part.rows(), part.cols())
             : fmt::format("{} [{}, {}, {}]", computed.name, computed.parts.size(), part.rows(), part.cols());
}

bool has_shape(const Computed& computed, const input::Stack& expected) {
  const report::LazyMatrix& part = computed.parts.front();
  return static_cast<Index>(computed.parts.size()) == expected.heads() && part.rows() == expected.rows() &&
         part.cols() == expected.cols();
}

/// All that the inputs give, what comes later in the equations first.
std::vector<Computed> computable(const SharedLayer& layer) {
  std::vector<Computed> all;
  if (layer->has_values()) {
    const Pipeline pipeline = pipeline_of(layer);
    const bool projected = !pipeline.projections.empty();
    if (projected) all.push_back({"O", {"O"}, {pipeline.projections.front().O}});
    const std::vector<std::string> names =
        projected ? std::vector<std::string>{"O_concat"} : std::vector<std::string>{"O_concat", "O"};
    all.push_back({"Concat", names, {pipeline.O_concat}});
    if (pipeline.H() > 1) all.push_back({"Concat", names, pipeline.head_outputs});
  }
  Computed weights{"A", {"A"}, {}};
  for (const ShownHead& head : heads_of(layer, {}).shown) weights.parts.push_back(head.A);
  all.push_back(std::move(weights));
  return all;
}

/// What a layer in float32 is commonly held to; the text below says it too.
constexpr double kFloat32Tolerance = 1e-5;

/// What somebody else computed: the array, and what it is called there.
struct Expected {
  std::string name;   ///< empty where the file gives none
  std::string dtype;  ///< `float32`
  input::Stack stack;
};

Expected expected_array(const CompareOptions& options) {
  const std::string name = input::file_name("expect", options.expect);
  const std::shared_ptr<const input::ArrayFile> file = input::open_arrays(options.expect, name);
  const input::Arrays arrays(file, "", "", options.file.pick);
  const auto stack = [&](const std::string& array) {
    // [batch, T, d_model] has no heads.
    const bool headless = options.file.pick.batch && file->find(array)->shape.size() == 3;
    return headless ? *arrays.headless(array) : *arrays.stack(array);
  };
  for (const char* array : {"O", "O_concat", "A"}) {
    if (arrays.has(array)) return {array, file->find(array)->dtype, stack(array)};
  }
  if (file->arrays().size() == 1) {
    const input::ArrayInfo& only = file->arrays().front();
    return {"", only.dtype, stack(only.name)};
  }
  throw std::invalid_argument(fmt::format("{}: has no A, O or O_concat{}", name, arrays.holdings()));
}

/// Which of them the array is; those that it could be too come after it.
std::vector<Computed> meant(const CompareOptions& options, const Expected& expected,
                            const std::vector<Computed>& all) {
  std::vector<Computed> candidates;
  std::string shapes;
  for (const Computed& computed : all) {
    shapes += (shapes.empty() ? "" : ", ") + shape_of(computed);
    const bool named =
        expected.name.empty() || std::count(computed.names.begin(), computed.names.end(), expected.name) > 0;
    if (named && has_shape(computed, expected.stack)) candidates.push_back(computed);
  }
  const input::Stack& stack = expected.stack;
  if (candidates.empty()) {
    const std::string shape = stack.heads() == 1
                                  ? fmt::format("[{}, {}]", stack.rows(), stack.cols())
                                  : fmt::format("[{}, {}, {}]", stack.heads(), stack.rows(), stack.cols());
    throw std::invalid_argument(fmt::format("{}: is {}; {} gives {}", stack.place(), shape,
                                            input::file_name("input", options.file.path), shapes));
  }
  const bool weights_too = candidates.size() > 1 && candidates.back().name == "A";
  if (weights_too)
    throw std::invalid_argument(
        fmt::format("{}: could be {} or A by its shape; give the array its name, in a .npz or .json file",
                    stack.place(), candidates.front().name));
  return candidates;
}

struct Difference {
  double largest = 0.0;
  std::size_t part = 0;
  Index row = 0;
  Index column = 0;
  double computed = 0.0;
  double expected = 0.0;
};

Difference difference(const Computed& computed, const input::Stack& expected) {
  Difference found;
  bool first = true;
  for (const report::LazyMatrix& part : computed.parts) part.plan(part.rows());
  for (std::size_t h = 0; h < computed.parts.size(); ++h) {
    const report::LazyMatrix& part = computed.parts[h];
    Matrix row_expected(1, part.cols());
    part.for_each_row(part.rows(), [&](Index r, const auto& row) {
      expected.read(static_cast<Index>(h), r, row_expected);
      for (Index c = 0; c < row.size(); ++c) {
        const double apart = std::abs(row[c] - row_expected(0, c));
        // What is no number is the largest difference of all.
        if (!first && (std::isnan(found.largest) || apart <= found.largest)) continue;
        found = {apart, h, r, c, row[c], row_expected(0, c)};
        first = false;
      }
    });
  }
  return found;
}

report::Explanation explanation() {
  return {
      "Another implementation, checked",
      "The same inputs, computed here and elsewhere: where the two results differ most, and by how much.",
      {report::Equation::kConcat},
      {{"verify", "the lesson's numbers, by which this program is checked", report::NextStep::After::kAny}},
      kLetters};
}

void declare(options::Options& options, CompareOptions& chosen) {
  declare_file(options, chosen.file);
  options.input_file("--expect", chosen.expect, "what another implementation computed: A, O or O_concat");
  options.add("--tolerance", chosen.tolerance, "D", "the largest difference that is ok");
  options.check([&chosen] {
    require_file(chosen.file);
    if (chosen.expect.empty()) throw std::invalid_argument("--expect: a file to compare with is needed");
    if (chosen.tolerance < 0.0)
      throw std::invalid_argument(fmt::format("--tolerance: {} is below 0", chosen.tolerance));
  });
}

}  // namespace

report::Report compare(const CompareOptions& options) {
  const Loaded loaded = load_heads({.file = options.file});
  const Expected expected = expected_array(options);
  const std::vector<Computed> candidates = meant(options, expected, computable(loaded.layer));
  const Computed& computed = candidates.front();
  const Difference found = difference(computed, expected.stack);
  if (!std::isfinite(found.largest))
    throw std::invalid_argument(fmt::format("{}: row {}, column {} differs by more than a double holds",
                                            expected.stack.place(), found.row + 1, found.column + 1));
  const bool ok = found.largest <= options.tolerance;

  report::List at;
  const auto add = [&](std::size_t index) { at.push_back({index + 1}); };
  std::string place;
  if (computed.parts.size() > 1) {
    add(found.part);
    place = fmt::format("head {}, ", found.part + 1);
  }
  add(static_cast<std::size_t>(found.row));
  add(static_cast<std::size_t>(found.column));
  place += fmt::format("row {}, column {}", found.row + 1, found.column + 1);

  report::Report report("compare", loaded.parameters);
  report.parameters.push_back({"expect", {options.expect}});
  report.parameters.push_back({"tolerance", {options.tolerance}});
  report.results = {{"compared", {computed.name}},  {"max_abs_diff", {found.largest}},
                    {"at", {std::move(at)}},        {"computed", {found.computed}},
                    {"expected", {found.expected}}, {"ok", {ok}}};
  report.lines = {{fmt::format("compared: {}", shape_of(computed))},
                  {"max |computed - expected| =", found.largest, fmt::format("at {}", place)},
                  {"computed", found.computed, " expected", found.expected},
                  {ok ? "ok: within" : "not ok: beyond", options.tolerance}};
  if (!ok && candidates.size() > 1 && difference(candidates[1], expected.stack).largest <= options.tolerance)
    report.lines.push_back({fmt::format("it is {} within that; an array named {} is compared with it",
                                        candidates[1].name, candidates[1].names.front())});
  if (!ok && expected.dtype == "float32" && found.largest <= kFloat32Tolerance)
    report.lines.push_back({"float32 may round so far: --tolerance 0.00001 allows for it"});
  add_remarks(*loaded.layer, report);
  report.ok = ok;
  report.explanation = explanation();
  return report;
}

constexpr std::array kExamples = {"mha compare --input qkv.npz --expect out.npy",
                                  "mha compare --input qkv.npz --expect out.npy --tolerance 1e-5"};
const Command kCompare = {
    "compare",
    "check another implementation's output",
    "Computes A, Concat or O from the inputs in a file and compares it with what another implementation\n"
    "made of them: the largest difference, where, and both values. The exit status is 1 beyond the\n"
    "tolerance.",
    kExamples,
    false,
    [](options::Options& options) { return declared<CompareOptions>(options, declare, compare); }};

}  // namespace mha::commands
