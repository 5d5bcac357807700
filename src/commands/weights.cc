#include "commands/weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "attention/causal_attention.h"

namespace mha::commands {
namespace {

/// The row that is looked at alone (1-based).
Index shown_row(const HeadOptions& options) { return std::min<Index>(4, options.T); }

report::LazyMatrix attention_matrix(const SharedHead& head) {
  const Index T = head->Q.rows();
  return {T, T, [head](Index first, Block A) { attention::attention_weights(head->Q, head->K, first, A); }};
}

report::Axis positions(std::string name) { return {std::move(name), report::numbered("t")}; }

report::Figure weights_figure(const HeadOptions& options, const std::vector<SharedHead>& heads) {
  report::Figure figure{
      "multi_head_weights",
      fmt::format("Attention weights of {} over T = {} {}, gain {}", head_count(heads), options.T,
                  options.T == 1 ? "token" : "tokens", options.gain),
      fmt::format("A heatmap of the attention weights A_h for each of {}. Row t is a query, column i a "
                  "key; colour is the weight from 0 to 1. Every row sums to 1; keys after the query are "
                  "masked.",
                  head_count(heads)),
      head_grid_columns(heads.size()),
      true,
      {}};
  for (const SharedHead& head : heads) {
    figure.panels.push_back(
        {fmt::format("Head {} — {}", head->number, head->name),
         report::Heatmap{attention_matrix(head), report::Scale::kWeight, report::Mask::kCausal,
                         positions("query position t"), positions("key position i"), "attention weight"}});
  }
  return figure;
}

/// Which textbook filter each head comes near to as the gain grows.
const char* filter_name(int head) {
  constexpr std::array kNames = {"first-sample hold", "unit delay z⁻¹", "identity", "growing box"};
  return kNames.at(static_cast<std::size_t>(head) - 1);
}

report::Figure responses_figure(const HeadOptions& options, const std::vector<SharedHead>& heads) {
  // Keys beyond the row are masked, and a few of them show it as well as thousands.
  constexpr Index kMostPositions = 12;
  const Index r = shown_row(options);
  const Index shown = std::min(options.T, kMostPositions);
  report::Figure figure{
      "impulse_responses",
      fmt::format("Impulse responses: row {} of each A_h, gain {}", r, options.gain),
      fmt::format("Stems of row {} of the attention weights for each of {}: the weight of every key "
                  "position, 0 to 1, at output time {}. Positions after {} are masked.",
                  r, head_count(heads), r, r),
      std::min<std::size_t>(4, heads.size()),
      true,
      {}};
  for (const SharedHead& head : heads) {
    const report::LazyMatrix response(shown, 1, [head, r](Index first, Block block) {
      block = attention_matrix(head).read(r - 1, 1).middleCols(first, block.rows()).transpose();
    });
    const std::string name = shown < options.T
                                 ? fmt::format("key position i, the first {} of {}", shown, options.T)
                                 : "key position i";
    figure.panels.push_back(
        {fmt::format("head {}: {}", head->number, filter_name(head->number)),
         report::Stem{
             {response}, report::Scale::kWeight, {name, report::numbered("")}, "attention weight", r}});
  }
  return figure;
}

}  // namespace

report::Report weights(const HeadOptions& options) {
  report::Report report{"weights", head_parameters(options), {}, {}};
  report::List heads;
  SharedHead uniform;
  const std::vector<SharedHead> shared_heads = lesson_heads(options);
  for (const SharedHead& head : shared_heads) {
    const report::LazyMatrix A = attention_matrix(head);
    report.lines.push_back({fmt::format("Head {} — {}:", head->number, head->name), A});
    heads.push_back({report::Object{
        {"head", {static_cast<report::Count>(head->number)}}, {"name", {head->name}}, {"A", {A}}}});
    if (head->number == 4) uniform = head;
  }
  report.results = {{"heads", {std::move(heads)}}};

  if (uniform) {
    const Index r = shown_row(options);
    const Matrix row = attention_matrix(uniform).read(r - 1, 1);
    report.lines.push_back({fmt::format("Head 4 row {}:", r), report::Vector{Matrix(row.transpose())}});
  }
  report.figures = {weights_figure(options, shared_heads), responses_figure(options, shared_heads)};
  return report;
}

}  // namespace mha::commands
