#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "commands/commands.h"
#include "input/layers/layouts.h"

namespace mha::commands {
namespace {

struct LayoutsOptions {};

/// What the first array holds, as its row says: `[3 out, in]`.
std::string shape_of(const input::LayoutRow& row) {
  std::vector<std::string> words;
  for (const char axis : row.axes.substr(1)) {
    const char* const out = row.packing == input::Packing::kSeparate ? "out" : "3 out";
    words.emplace_back(axis == 'h' ? "H" : axis == 'i' ? "in" : out);
  }
  return fmt::format("[{}]{}", fmt::join(words, ", "),
                     row.packing == input::Packing::kHeadThirds ? ", head by head" : "");
}

report::Report layouts(const LayoutsOptions& /*options*/) {
  report::Report report("layouts");
  report::Table table{{"layout", "of", "Q (and K, V)", "shape", "output", "mask", "rotary"}, {}};
  report::List rows;
  for (std::size_t i = 0; i < input::kLayoutNames.size(); ++i) {
    const input::LayoutRow& row = input::row_of(static_cast<input::Layout>(i));
    const std::string name = input::kLayoutNames.at(i);
    const std::string mask = row.causal ? "causal" : "none";
    table.rows.push_back({name, std::string(row.models), input::alternatives(row.Q).front(), shape_of(row),
                          input::alternatives(row.O).front(), mask, std::string(row.rotates ? "yes" : "")});
    const std::vector<std::string> names = input::names_read(row);
    rows.push_back(report::Object{{"name", name},
                                  {"models", row.models},
                                  {"names", report::List(names.begin(), names.end())},
                                  {"shape", shape_of(row)},
                                  {"mask", mask},
                                  {"rotates", row.rotates}});
  }
  report.lines = {{std::move(table)}};
  report.results = {{"layouts", std::move(rows)}};
  report.explanation = {
      "How checkpoints store attention",
      "A layout says under which names a checkpoint keeps the projections, how they lie, and which mask its "
      "models have. None is guessed: a square matrix does not show whether it means x W or x times W transposed.",
      {},
      {{"inspect", "what the heads of a layer do", report::NextStep::After::kFile}}};
  return report;
}

}  // namespace

constexpr std::array kLayoutsExamples = {"mha layouts", "mha layouts --format json"};
const Command kLayouts = {
    "layouts",
    "how checkpoints store attention",
    "The layouts that --layout can name: the models that have them, what they call their arrays (after\n"
    "--prefix) and how these lie, the mask they have, and whether queries and keys are rotated.",
    kLayoutsExamples,
    false,
    [](options::Options& options) {
      return declared<LayoutsOptions>(
          options, [](options::Options&, LayoutsOptions&) {}, layouts);
    }};

}  // namespace mha::commands
