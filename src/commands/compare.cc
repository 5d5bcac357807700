#include "commands/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "analysis/slips.h"
#include "input/layers/names.h"

namespace mha::commands {
namespace {

/// An entry agrees where |Δ| ≤ absolute + relative · the largest |computed| of its row.
struct Tolerance {
  double absolute;
  double relative;
  attention::Precision precision;  ///< that the relative one is for, unless it was given
};

Tolerance tolerance_of(const CompareOptions& options, attention::Precision inputs,
                       const std::string& expected) {
  constexpr std::array kRelative = {1e-9, 1e-5, 4e-3, 2e-2};
  static_assert(kRelative.size() == attention::kPrecisionNames.size());
  const attention::Precision precision = std::max(inputs, input::precision_of(expected));
  if (options.tolerance) return {*options.tolerance, 0.0, precision};
  return {options.atol.value_or(0.0),
          options.rtol.value_or(kRelative.at(static_cast<std::size_t>(precision))), precision};
}

struct Place {
  std::size_t part = 0;
  Index row = 0;
  Index column = 0;
  double computed = 0.0;
  double expected = 0.0;
};

struct Difference {
  double largest = -1.0;  ///< of the entries that are finite
  Place at;
  std::uint64_t size = 0;
  std::uint64_t mismatched = 0;
  std::uint64_t not_finite = 0;  ///< entries of what is expected
  std::optional<Place> first_not_finite;
};

/// Calls visit(r, row, expected row, the largest |Δ| that agrees) for the rows of a part until it returns
/// false. Queries that are padding are left out: what others have there is no result.
template <typename Visit>
bool for_each_pair(const attention::Layer& layer, const report::LazyMatrix& part, std::size_t number,
                   const input::Stack& expected, const Tolerance& tolerance, const Visit& visit) {
  Matrix row_expected(1, part.cols());
  bool go_on = true;
  part.for_each_row(part.rows(), [&](Index r, const auto& row) {
    if (!go_on || layer.is_padding(r)) return;
    expected.read(static_cast<Index>(number), r, row_expected, input::Finite::kNotRequired);
    const double most = tolerance.absolute + tolerance.relative * row.cwiseAbs().maxCoeff();
    go_on = visit(r, row, row_expected, most);
  });
  return go_on;
}

Difference difference(const attention::Layer& layer, const Computed& computed, const input::Stack& expected,
                      const Tolerance& tolerance) {
  Difference found;
  for (const report::LazyMatrix& part : computed.parts) part.plan(part.rows());
  for (std::size_t h = 0; h < computed.parts.size(); ++h) {
    for_each_pair(layer, computed.parts[h], h, expected, tolerance,
                  [&](Index r, const auto& row, const Matrix& row_expected, double most) {
                    for (Index c = 0; c < row.size(); ++c) {
                      const Place place{h, r, c, row[c], row_expected(0, c)};
                      const double apart = std::abs(place.computed - place.expected);
                      ++found.size;
                      if (!(apart <= most)) ++found.mismatched;
                      if (!std::isfinite(place.expected)) {
                        ++found.not_finite;
                        if (!found.first_not_finite) found.first_not_finite = place;
                      } else if (apart > found.largest) {
                        found.largest = apart;
                        found.at = place;
                      }
                    }
                    return true;
                  });
  }
  return found;
}

/// The parts of the target as that implementation computes them.
std::vector<report::LazyMatrix> parts_of(const analysis::Implementation& other, const Computed& like) {
  const auto shared = std::make_shared<const analysis::Implementation>(other);
  std::vector<report::LazyMatrix> parts;
  const report::LazyMatrix& first_part = like.parts.front();
  for (std::size_t h = 0; h < like.parts.size(); ++h) {
    parts.emplace_back(first_part.rows(), first_part.cols(), [shared, h, like](Index first, Block rows) {
      if (like.target == Target::kA) return shared->weights(h, first, rows);
      if (like.target == Target::kO) return shared->output(first, rows);
      if (like.parts.size() == 1) return shared->concat(first, rows);
      Matrix O_concat(rows.rows(), rows.cols() * static_cast<Index>(like.parts.size()));
      shared->concat(first, O_concat);
      rows = O_concat.middleCols(static_cast<Index>(h) * rows.cols(), rows.cols());
    });
  }
  return parts;
}

bool agrees(const attention::Layer& layer, const std::vector<report::LazyMatrix>& parts,
            const input::Stack& expected, const Tolerance& tolerance) {
  for (std::size_t h = 0; h < parts.size(); ++h) {
    // A few rows tell nearly always.
    constexpr Index kFirst = 4;
    const report::LazyMatrix beginning(std::min(parts[h].rows(), kFirst), parts[h].cols(), parts[h].source());
    const auto visit = [](Index /*r*/, const auto& row, const Matrix& row_expected, double most) {
      return ((row - row_expected.row(0)).cwiseAbs().array() <= most).all();
    };
    if (!for_each_pair(layer, beginning, h, expected, tolerance, visit)) return false;
    if (!for_each_pair(layer, parts[h], h, expected, tolerance, visit)) return false;
  }
  return true;
}

/// The slips that turn the right result into what is expected.
std::vector<analysis::Slip> slips_of(const attention::Layer& layer, const Expected& expected,
                                     const Tolerance& tolerance) {
  constexpr Index kLongest = 4096;
  std::vector<analysis::Slip> found;
  if (layer.T_q > kLongest || layer.T_k > kLongest) return found;
  const auto fits = [&](const analysis::Implementation& other) {
    return agrees(layer, parts_of(other, expected.computed), expected.stack, tolerance);
  };
  const Target target = expected.computed.target;
  for (std::size_t i = 0; i < analysis::kSlipNames.size(); ++i) {
    const auto slip = static_cast<analysis::Slip>(i);
    const bool of_concat =
        slip == analysis::Slip::kHeadsInterleaved || slip == analysis::Slip::kHeadsNotTransposed;
    if (of_concat && (target == Target::kA || layer.H() == 1 || expected.computed.parts.size() > 1)) continue;
    const std::vector<analysis::Implementation> ways = analysis::with_slip(layer, slip);
    if (std::any_of(ways.begin(), ways.end(), fits)) found.push_back(slip);
  }
  bool reordered = false;
  analysis::try_orders(layer.H(), [&](const std::vector<Index>& order) {
    reordered = fits({.layer = layer, .order = order});
    return reordered;
  });
  if (reordered) found.push_back(analysis::Slip::kHeadsReordered);
  return found;
}

report::Explanation compare_explanation(Target target) {
  return {
      "Another implementation, checked",
      "The same inputs, computed here and elsewhere: where the two results differ most, and by how much.",
      {target == Target::kA ? report::Equation::kAttentionWeights : report::Equation::kConcat},
      {{"verify", "the lesson's numbers, by which this program is checked", report::NextStep::After::kAny}},
      kLetters};
}

void declare_compare(options::Options& options, CompareOptions& chosen) {
  declare_file(options, chosen.file, {.own_as = true});
  options.input_file("--expect", chosen.expected.path,
                     "what another implementation computed: A, O or O_concat");
  options.choice("--as", chosen.expected.as, "what the expected array is, where its name does not say so");
  options.choice("--expect-axes", chosen.expected.axes, "how the axes of the expected array lie");
  options.add("--rtol", chosen.rtol, "R", "tolerance, relative to the row's largest |computed|")
      .default_is("by dtype: float64 1e-9, float32 1e-5, float16 4e-3, bfloat16 2e-2");
  options.add("--atol", chosen.atol, "D", "tolerance, absolute").default_is("0");
  options.add("--tolerance", chosen.tolerance, "D", "the same as --atol D --rtol 0");
  options.check([&chosen] {
    require_file(chosen.file);
    if (chosen.expected.path.empty())
      throw std::invalid_argument("--expect: a file to compare with is needed");
    if (chosen.tolerance && (chosen.atol || chosen.rtol))
      throw std::invalid_argument("--tolerance: is --atol with --rtol 0, and cannot go with either");
    for (const auto& [name, value] :
         {std::pair("--tolerance", chosen.tolerance), {"--atol", chosen.atol}, {"--rtol", chosen.rtol}}) {
      if (value.value_or(0.0) < 0.0)
        throw std::invalid_argument(fmt::format("{}: {} is below 0", name, *value));
    }
  });
}

/// What the tolerance is, in words.
std::string words_of(const Tolerance& tolerance, const CompareOptions& options) {
  if (tolerance.relative == 0.0) return fmt::format("{}", tolerance.absolute);
  return fmt::format("{}{} of the row's largest |computed|{}",
                     tolerance.absolute > 0.0 ? fmt::format("{} + ", tolerance.absolute) : "",
                     tolerance.relative,
                     options.rtol ? "" : fmt::format(" ({})", text::name_of(tolerance.precision)));
}

/// `head 2, row 3, column 1`, and the same as a list.
std::string words_of(const Place& place, bool heads, report::List& at) {
  std::string words;
  if (heads) {
    at.emplace_back(place.part + 1);
    words = fmt::format("head {}, ", place.part + 1);
  }
  at.emplace_back(place.row + 1);
  at.emplace_back(place.column + 1);
  return words + fmt::format("row {}, column {}", place.row + 1, place.column + 1);
}

}  // namespace

report::Report compare(const CompareOptions& options) {
  const Loaded loaded = load_heads({.file = options.file});
  const Expected expected = expected_array(options.expected, options.file, loaded.layer);
  const Tolerance tolerance = tolerance_of(options, loaded.layer->precision, expected.dtype);
  const Difference found = difference(*loaded.layer, expected.computed, expected.stack, tolerance);
  if (found.size == 0)
    throw std::invalid_argument(
        fmt::format("{}: every query is padding, and there is nothing to compare", expected.stack.place()));
  if (!std::isfinite(found.largest))
    throw std::invalid_argument(fmt::format("{}: row {}, column {} differs by more than a double holds",
                                            expected.stack.place(), found.at.row + 1, found.at.column + 1));
  const bool ok = found.mismatched == 0;
  const bool heads = expected.computed.parts.size() > 1;
  std::vector<analysis::Slip> slips;
  if (!ok && found.not_finite == 0) slips = slips_of(*loaded.layer, expected, tolerance);

  report::Report report("compare", loaded.parameters);
  report.parameters.emplace_back("expect", options.expected.path);
  report.lines = {{"compared: " + expected.computed.name_and_shape()}};
  report::List at;
  if (found.first_not_finite) {
    report.lines.push_back({fmt::format("{} expected {} no finite number, the first at {}", found.not_finite,
                                        found.not_finite == 1 ? "entry is" : "entries are",
                                        words_of(*found.first_not_finite, heads, at))});
  } else {
    report.lines.push_back(
        {"max |computed - expected| =", found.largest, "at " + words_of(found.at, heads, at)});
    report.lines.push_back({"computed", found.at.computed, " expected", found.at.expected});
  }
  const std::string within = words_of(tolerance, options);
  report.lines.push_back(
      {ok ? fmt::format("ok: all {} within {}", found.size, within)
          : fmt::format("not ok: {} of {} beyond {}", found.mismatched, found.size, within)});
  report::List names;
  for (const analysis::Slip slip : slips) {
    names.emplace_back(text::name_of(slip));
    report.lines.push_back(
        {fmt::format("it agrees if {} ({})", analysis::description_of(slip), text::name_of(slip))});
  }
  report.results = {{"compared", expected.computed.name()},
                    {"max_abs_diff", std::max(found.largest, 0.0)},
                    {"at", std::move(at)}};
  if (!found.first_not_finite) {
    report.results.emplace_back("computed", found.at.computed);
    report.results.emplace_back("expected", found.at.expected);
  }
  report.results.emplace_back("mismatched", found.mismatched);
  report.results.emplace_back("size", found.size);
  report.results.emplace_back("not_finite", found.not_finite);
  report.results.emplace_back("atol", tolerance.absolute);
  report.results.emplace_back("rtol", tolerance.relative);
  report.results.emplace_back("slips", std::move(names));
  report.results.emplace_back("ok", ok);
  add_remarks(*loaded.layer, report);
  report.ok = ok;
  report.explanation = explained(compare_explanation(expected.computed.target), *loaded.layer);
  if (expected.computed.target == Target::kOConcat) report.explanation.attends.has_W_O = false;
  return report;
}

constexpr std::array kCompareExamples = {"mha compare --input qkv.npz --expect out.npy",
                                         "mha compare --input qkv.npz --expect out.npy --rtol 1e-6"};

const Command kCompare = {
    "compare",
    "check another implementation's output",
    "Computes A, Concat or O from the inputs in a file and compares it with what another implementation\n"
    "made of them: the largest difference, where, both values, and how many entries are beyond the\n"
    "tolerance. The exit status is 1 if any is. It then tries the usual slips and names those that explain\n"
    "the difference: mask-missing, mask-added, other-alignment, scale-missing, scale-d-model, scale-twice,\n"
    "softmax-queries, rotary-pairs, kv-heads-tiled, bias-missing, bias-per-head, w_o-transposed, heads-interleaved,\n"
    "heads-not-transposed, heads-reordered.",
    kCompareExamples,
    false,
    [](options::Options& options) { return declared<CompareOptions>(options, declare_compare, compare); }};

}  // namespace mha::commands
