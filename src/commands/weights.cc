#include "commands/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace mha::commands {
namespace {

using report::Equation;

/// The row that is looked at alone (1-based).
Index shown_row(const Heads& heads) { return std::min<Index>(4, heads.T_q()); }

/// What the rows sum to.
std::string sums(const Heads& heads) {
  const bool sinks = heads.layer->heads.front().sink.has_value();
  const std::string sum = sinks ? "sums to less than 1, the rest being the sink's" : "sums to 1";
  const auto [queries, n] = queries_without_keys(*heads.layer);
  if (n == 0) return "Every row " + sum;
  return fmt::format("Every row {}, but those of {}, which see no key", sum, queries);
}

report::Figure weights_figure(const Heads& heads) {
  const bool masked = heads.sees(heads.shown.front()) != nullptr;
  return {"multi_head_weights",
          fmt::format("Attention weights of {} over {} {}, {}", heads.count(), sizes_of(*heads.layer),
                      heads.T_k() == 1 ? "token" : "tokens", heads.title),
          fmt::format("A heatmap of the attention weights A_h {}. Row t is a query, column i a "
                      "key; colour is the weight from 0 to 1. {}{}.",
                      heads.of_each(), sums(heads),
                      !masked ? ""
                      : heads.layer->rules.mask.is_causal() && heads.layer->said.empty()
                          ? "; keys after the query are masked"
                          : "; keys that the query may not see are masked"),
          head_grid_columns(heads.shown.size()),
          true,
          weight_panels(heads, "Head")};
}

report::Figure responses_figure(const Heads& heads) {
  // Keys beyond the row are masked, and a few of them show it as well as thousands.
  constexpr Index kMostPositions = 12;
  const Index r = shown_row(heads);
  const Index first_keys = heads.visible(heads.shown.front(), r - 1);
  // Where the row sees others than the first keys, none is shown as masked.
  const auto h = static_cast<std::size_t>(heads.shown.front().number) - 1;
  bool prefix = true;
  for (Index i = 0; i < first_keys; ++i)
    prefix = prefix && (heads.layer->above_diagonal || heads.layer->sees(h, r - 1, i));
  const Index visible = prefix ? first_keys : heads.T_k();
  const Index shown = std::min(heads.T_k(), kMostPositions);
  const report::Axis positions = {shown < heads.T_k()
                                      ? fmt::format("key position i, the first {} of {}", shown, heads.T_k())
                                      : "key position i",
                                  report::numbered("")};
  report::Figure figure{
      "impulse_responses",
      fmt::format("Impulse responses: row {} of each A_h, {}", r, heads.title),
      fmt::format("Stems of row {} of the attention weights {}: the weight of every key "
                  "position, 0 to 1, at output time {}.{}",
                  r, heads.of_each(), r,
                  visible < heads.T_k() ? fmt::format(" Positions after {} are masked.", visible) : ""),
      std::min<std::size_t>(4, heads.shown.size()),
      true,
      {}};
  for (const ShownHead& head : heads.shown) {
    const report::LazyMatrix response(shown, 1, [A = head.A, r](Index first, Block block) {
      block = A.read(r - 1, 1).middleCols(first, block.rows()).transpose();
    });
    const std::string& filter = head.head->filter;
    figure.panels.push_back(
        {filter.empty() ? head.title() : fmt::format("head {}: {}", head.number, filter),
         report::Stem{{response}, report::Scale::kWeight, positions, "attention weight", visible}});
  }
  return figure;
}

report::Explanation weights_explanation(const Heads& heads) {
  return {
      "Attention weights, head by head",
      fmt::format(
          "Row t of a head's matrix says how position t shares its attention among the positions it may "
          "see: no weight is negative and each row sums to {}. {}Read by itself, a row is the impulse "
          "response of a filter.",
          heads.layer->heads.front().sink ? "less than 1, the rest being the sink's" : "1",
          heads.layer->rules.mask.is_causal()
              ? "Under a causal mask everything above the diagonal is empty: nobody looks ahead. "
              : ""),
      {Equation::kAttentionWeights},
      {{"weights --gain 9", "longer keys sharpen heads 1 to 3; heads 2 and 3 pick a single token"},
       {"weights --gain 0 --heads 1,2", "keys of length 0: without scores every head is the uniform one"},
       {"weights --T 12 --heads 2", "more tokens on the same circle are closer together: the pattern blurs"},
       {"inspect", "what each head does, and which heads do the same", report::NextStep::After::kFile}},
      kLetters};
}

}  // namespace

report::Report weights(const HeadOptions& options) {
  const Heads heads = heads_of(options);
  report::Report report("weights", heads.parameters);
  report::List results;
  const ShownHead* fourth = nullptr;
  for (const ShownHead& head : heads.shown) {
    report.lines.push_back({head.title("Head") + ":", head.A});
    results.push_back(report::Object{{"head", head.number}, {"name", head.any_name()}, {"A", head.A}});
    if (head.number == 4) fourth = &head;
  }
  report.results = {{"heads", std::move(results)}};
  if (fourth) {
    const Index r = shown_row(heads);
    const Matrix row = fourth->A.read(r - 1, 1);
    report.lines.push_back({fmt::format("Head 4 row {}:", r), report::Vector{Matrix(row.transpose())}});
  }
  add_remarks(*heads.layer, report);
  report.figures = {weights_figure(heads), responses_figure(heads)};
  report.explanation = explained(weights_explanation(heads), *heads.layer);
  return report;
}

constexpr std::array kWeightsExamples = {"mha weights", "mha weights --T 8 --gain 6 --heads 1,2",
                                         "mha weights --plot", "mha weights --svg figures"};
const Command kWeights = {
    "weights",
    "attention weights of the four hand-set heads",
    "The attention weights A_h = softmax(Q_h K_h'/sqrt(d_k) + M) of the four hand-set heads: first\n"
    "token, previous token, self, uniform. Rows are queries, columns keys.",
    kWeightsExamples,
    true,
    [](options::Options& options) { return declared<HeadOptions>(options, declare_heads, weights); }};

}  // namespace mha::commands
