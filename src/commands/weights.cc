#include "commands/weights.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/textbook_filters.h"
#include "commands/own_model.h"

namespace mha::commands {
namespace {

/// The row that is looked at alone (1-based).
Index shown_row(const Heads& heads) { return std::min<Index>(4, heads.T_q()); }

/// What the rows sum to.
std::string sums(const Heads& heads) {
  const Index blind = heads.model->blind_queries();
  if (blind == 0) return "Every row sums to 1";
  return blind == 1
             ? "Every row but the first, whose query has no key to see, sums to 1"
             : fmt::format("Every row but the first {}, whose queries have no key to see, sums to 1", blind);
}

report::Figure weights_figure(const Heads& heads) {
  const bool masked = heads.mask.diagonal != attention::Mask::kNone.diagonal;
  return {"multi_head_weights",
          fmt::format("Attention weights of {} over {} {}, {}", heads.count(), heads.sizes(),
                      heads.T_k() == 1 ? "token" : "tokens", heads.source),
          fmt::format("A heatmap of the attention weights A_h {}. Row t is a query, column i a "
                      "key; colour is the weight from 0 to 1. {}{}.",
                      heads.of_each(), sums(heads), masked ? "; keys after the query are masked" : ""),
          head_grid_columns(heads.shown.size()),
          true,
          weight_panels(heads, "Head")};
}

/// What a panel of impulse responses is called: by the textbook filter that one of the lesson's heads comes
/// near to as the gain grows.
std::string response_title(const Heads& heads, const ShownHead& head) {
  if (heads.model->file) return head.title();
  const auto filter = static_cast<analysis::Filter>(head.number - 1);
  return fmt::format("head {}: {}", head.number,
                     filter == analysis::Filter::kUnitDelay ? "unit delay z⁻¹" : analysis::name_of(filter));
}

report::Figure responses_figure(const Heads& heads) {
  // Keys beyond the row are masked, and a few of them show it as well as thousands.
  constexpr Index kMostPositions = 12;
  const Index r = shown_row(heads);
  const Index seen = heads.seen(r - 1);
  const Index shown = std::min(heads.T_k(), kMostPositions);
  report::Figure figure{
      "impulse_responses",
      fmt::format("Impulse responses: row {} of each A_h, {}", r, heads.source),
      fmt::format("Stems of row {} of the attention weights {}: the weight of every key "
                  "position, 0 to 1, at output time {}.{}",
                  r, heads.of_each(), r,
                  seen < heads.T_k() ? fmt::format(" Positions after {} are masked.", seen) : ""),
      std::min<std::size_t>(4, heads.shown.size()),
      true,
      {}};
  for (const SharedHead& head : heads.shown) {
    const report::LazyMatrix response(shown, 1, [head, r](Index first, Block block) {
      block = head->A.read(r - 1, 1).middleCols(first, block.rows()).transpose();
    });
    const std::string name = shown < heads.T_k()
                                 ? fmt::format("key position i, the first {} of {}", shown, heads.T_k())
                                 : "key position i";
    figure.panels.push_back(
        {response_title(heads, *head),
         report::Stem{
             {response}, report::Scale::kWeight, {name, report::numbered("")}, "attention weight", seen}});
  }
  return figure;
}

}  // namespace

report::Report weights(const HeadOptions& options) {
  const Heads heads = heads_of(options);
  report::Report report("weights", heads.parameters);
  report::List results;
  SharedHead fourth;
  for (const SharedHead& head : heads.shown) {
    report.lines.push_back({head->title("Head") + ":", head->A});
    results.push_back({report::Object{{"head", {static_cast<report::Count>(head->number)}},
                                      {"name", {head->any_name()}},
                                      {"A", {head->A}}}});
    if (head->number == 4) fourth = head;
  }
  report.results = {{"heads", {std::move(results)}}};

  if (fourth) {
    const Index r = shown_row(heads);
    const Matrix row = fourth->A.read(r - 1, 1);
    report.lines.push_back({fmt::format("Head 4 row {}:", r), report::Vector{Matrix(row.transpose())}});
  }
  add_remarks(*heads.model, report);
  report.figures = {weights_figure(heads), responses_figure(heads)};
  return report;
}

}  // namespace mha::commands
