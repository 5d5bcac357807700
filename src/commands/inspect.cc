#include "commands/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "analysis/rank.h"
#include "analysis/survey.h"
#include "commands/pipeline.h"

namespace mha::commands {
namespace {

/// Two heads whose rows differ by less, in the mean, are near-duplicates.
constexpr double kRepeatBits = 0.01;

/// Pairs of heads that a line names, at most.
constexpr std::size_t kMostPairs = 10;

/// A head whose rows are farther from every filter, in the mean, is called by none of them.
constexpr double kFarthest = 0.5;

/// The filters that the heads can be: where no query may see the key after its own, not the next token.
std::span<const analysis::Filter> filters_of(const Heads& heads) {
  const bool sees_next = heads.T_k() > 1 && heads.layer->rules.mask.sees(0, heads.layer->shift + 1);
  return std::span(analysis::kFilters).first(analysis::kFilters.size() - (sees_next ? 0 : 1));
}

/// What is told of one head.
struct Finding {
  ShownHead head;
  analysis::HeadSurvey survey;
  std::size_t nearest;    ///< of kFilters
  std::size_t runner_up;  ///< of kFilters
  std::optional<Index> rank;
  std::optional<double> share;

  [[nodiscard]] bool is_near() const { return survey.distances.at(nearest) <= kFarthest; }
};

/// A ‖M‖_F with one A for every M, read a few rows at a time; the caller has planned it. A is so small that
/// the norm of doubles is a double, and no square overflows or vanishes on the way.
double scaled_norm(const report::LazyMatrix& M) {
  constexpr double kScale = 0x1p-32;
  double whole = 0.0;
  M.for_each_row(M.rows(), [&](Index /*r*/, const auto& row) {
    whole = std::hypot(whole, (kScale * row).stableNorm());
  });
  return whole;
}

/// What each of the layer's heads adds to the output; none where V or W_O is not known.
std::vector<report::LazyMatrix> terms_of(const SharedLayer& layer) {
  if (layer->W_O.size() == 0 || !layer->has_values()) return {};
  return pipeline_of(layer).projections.front().terms;
}

/// Each head's share of the output.
std::vector<double> shares_of(const std::vector<report::LazyMatrix>& terms) {
  std::vector<double> shares;
  for (const report::LazyMatrix& term : terms) shares.push_back(scaled_norm(term));
  const double largest = shares.empty() ? 0.0 : *std::max_element(shares.begin(), shares.end());
  if (largest == 0.0) return shares;
  for (double& share : shares) share /= largest;  // their sum may be beyond a double
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double& share : shares) share /= sum;
  return shares;
}

std::vector<Finding> findings_of(const Heads& heads, const analysis::Survey& survey,
                                 const std::vector<double>& shares) {
  std::vector<Finding> findings;
  for (std::size_t i = 0; i < heads.shown.size(); ++i) {
    const ShownHead& head = heads.shown[i];
    const analysis::PerFilter& distances = survey.heads[i].distances;
    std::vector<std::size_t> order(filters_of(heads).size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t f, std::size_t g) { return distances[f] < distances[g]; });
    Finding finding{head, survey.heads[i], order[0], order[1], {}, {}};
    if (head.head->Q)
      finding.rank = analysis::rank_of_product(*head.head->Q, *head.head->K, heads.layer->precision).rank;
    if (!shares.empty()) finding.share = shares[static_cast<std::size_t>(head.number) - 1];
    findings.push_back(std::move(finding));
  }
  return findings;
}

report::Table table_of(const std::vector<Finding>& findings) {
  report::Table table{{"head", "nearest filter", "distance", "runner-up", "distance", "bits", "positions"},
                      {}};
  const bool ranks =
      std::any_of(findings.begin(), findings.end(), [](const Finding& f) { return f.rank.has_value(); });
  const bool shares = findings.front().share.has_value();
  if (ranks) table.headings.emplace_back("rank");
  if (shares) table.headings.emplace_back("share of output");
  for (const Finding& finding : findings) {
    const auto decimals = [](double value, int places) { return report::Decimals{{value}, places}; };
    const ShownHead& head = finding.head;
    std::vector<report::Table::Cell> row = {
        head.head->name.empty() ? std::to_string(head.number)
                                : fmt::format("{} — {}", head.number, head.head->name),
        fmt::format("{}{}", finding.is_near() ? "" : "none: ",
                    analysis::name_of(analysis::kFilters.at(finding.nearest))),
        decimals(finding.survey.distances.at(finding.nearest), 4),
        std::string(analysis::name_of(analysis::kFilters.at(finding.runner_up))),
        decimals(finding.survey.distances.at(finding.runner_up), 4),
        decimals(finding.survey.bits, 4),
        decimals(finding.survey.effective_positions, 2)};
    if (ranks && finding.rank) row.emplace_back(static_cast<report::Count>(*finding.rank));
    if (ranks && !finding.rank) row.emplace_back("");
    if (shares) row.emplace_back(decimals(*finding.share, 4));
    table.rows.push_back(std::move(row));
  }
  return table;
}

report::Object result_of(const Finding& finding) {
  const auto name = [](std::size_t filter) {
    return std::string(analysis::name_of(analysis::kFilters.at(filter)));
  };
  report::Object result = {{"head", {finding.head.number}},
                           {"name", {finding.head.any_name()}},
                           {"nearest", finding.is_near() ? name(finding.nearest) : "none"},
                           {"closest", {name(finding.nearest)}},
                           {"distance", {finding.survey.distances.at(finding.nearest)}},
                           {"runner_up", {name(finding.runner_up)}},
                           {"runner_up_distance", {finding.survey.distances.at(finding.runner_up)}},
                           {"mean_bits", {finding.survey.bits}},
                           {"mean_effective_positions", {finding.survey.effective_positions}}};
  if (finding.rank) result.push_back({"rank", {*finding.rank}});
  if (finding.share) result.push_back({"output_share", {*finding.share}});
  return result;
}

struct Pair {
  int one;
  int other;
  double bits;
};

/// The near-duplicate pairs, the nearest first.
std::vector<Pair> repeats_of(const Heads& heads, const Matrix& divergence_bits) {
  std::vector<Pair> pairs;
  for (std::size_t g = 0; g < heads.shown.size(); ++g) {
    for (std::size_t h = g + 1; h < heads.shown.size(); ++h) {
      const double bits = divergence_bits(static_cast<Index>(g), static_cast<Index>(h));
      if (bits < kRepeatBits) pairs.push_back({heads.shown[g].number, heads.shown[h].number, bits});
    }
  }
  std::stable_sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) { return a.bits < b.bits; });
  return pairs;
}

void add_repeats(const std::vector<Pair>& pairs, report::Report& report) {
  report::List list;
  for (const Pair& pair : pairs) {
    list.push_back({report::Object{{"heads", {report::List{{pair.one}, {pair.other}}}},
                                   {"divergence_bits", {pair.bits}}}});
  }
  report.results.push_back({"repeats", {std::move(list)}});
  if (pairs.empty()) {
    report.lines.push_back({fmt::format("no near-duplicate heads (below {} bits)", kRepeatBits)});
    return;
  }
  report.lines.push_back({fmt::format("near-duplicate heads (below {} bits):", kRepeatBits)});
  for (std::size_t i = 0; i < std::min(pairs.size(), kMostPairs); ++i) {
    report.lines.push_back({fmt::format("  heads {} and {}:", pairs[i].one, pairs[i].other), pairs[i].bits});
  }
  if (pairs.size() > kMostPairs)
    report.lines.push_back({fmt::format("  ... ({} pairs total)", pairs.size())});
}

report::Axis head_axis(const Heads& heads) {
  return {"head", [shown = heads.shown](Index h) {
            return std::to_string(shown[static_cast<std::size_t>(h)].number);
          }};
}

report::Figure heads_figure(const Heads& heads) {
  return {"inspected_heads",
          fmt::format("Attention weights of {}, {}, {}", heads.count(), sizes_of(*heads.layer), heads.title),
          "A heatmap of each head's attention weights: rows are queries, columns keys, colour is the "
          "weight from 0 to 1. A bright first column holds the first sample, the diagonal is the "
          "identity, the line below it a unit delay, an even fade a growing box.",
          head_grid_columns(heads.shown.size()),
          true,
          weight_panels(heads, "head")};
}

report::Figure distances_figure(const Heads& heads, const std::vector<Finding>& findings) {
  const auto count = static_cast<Index>(filters_of(heads).size());
  Matrix distances(static_cast<Index>(findings.size()), count);
  for (std::size_t h = 0; h < findings.size(); ++h) {
    for (Index f = 0; f < count; ++f)
      distances(static_cast<Index>(h), f) = findings[h].survey.distances[static_cast<std::size_t>(f)];
  }
  const report::Axis filters{
      "textbook filter", [](Index f) {
        return std::string(analysis::name_of(analysis::kFilters.at(static_cast<std::size_t>(f))));
      }};
  return {"filter_distances",
          fmt::format("How far each head is from the textbook filters, {}", heads.title),
          "A heatmap with a row for each head and a column for each textbook filter; colour is the mean "
          "total-variation distance, 0 where the head is the filter, 1 where they share no weight.",
          1,
          true,
          {{"", report::Heatmap{distances, report::Scale::kWeight, nullptr, head_axis(heads), filters,
                                "total-variation distance", report::Pooled::kLeast}}}};
}

report::Figure divergence_figure(const Heads& heads, const Matrix& divergence_bits) {
  return {
      "head_divergence",
      fmt::format("How much the heads differ from each other, {}", heads.title),
      "A heatmap with a row and a column for each head; colour is the mean Jensen-Shannon divergence of their "
      "rows in bits, 0 for two heads that look alike, 1 for two that never look at the same position.",
      1,
      true,
      {{"", report::Heatmap{divergence_bits, report::Scale::kWeight, nullptr, head_axis(heads),
                            head_axis(heads), "divergence (bits)", report::Pooled::kLeast}}}};
}

report::Explanation inspect_explanation() {
  return {
      "What each head does",
      "Each head's rows are compared with the four filters that the lesson's heads come near to. The distance is "
      "the share of the weight that lies elsewhere: 0 for the filter itself, 1 for a head that shares nothing "
      "with it, in the mean over the queries. Bits and effective positions say how widely a head looks, under "
      "the ceiling of looking at everything alike; the divergence says how differently two heads look.",
      {report::Equation::kAttentionWeights, report::Equation::kRowEntropy},
      {{"weights", "the attention weights in numbers", report::NextStep::After::kFile},
       {"entropy", "the bits of each head, row by row", report::NextStep::After::kFile}},
      kLetters};
}

void declare_inspect(options::Options& options, HeadOptions& chosen) {
  declare_file(options, chosen.source.file);
  options.add("--heads", chosen.heads, "LIST", "which heads").default_is("all");
  options.check([&chosen] { require_file(chosen.source.file); });
}

}  // namespace

report::Report inspect(const HeadOptions& options) {
  const Heads heads = heads_of(options);
  std::vector<RowSource> weights;
  std::vector<std::size_t> numbers;
  for (const ShownHead& head : heads.shown) {
    weights.push_back(head.A.source());
    numbers.push_back(static_cast<std::size_t>(head.number) - 1);
  }
  // All before any is read: the share that is done would fall back.
  const std::vector<report::LazyMatrix> terms = terms_of(heads.layer);
  for (const report::LazyMatrix& term : terms) term.plan(term.rows());
  const analysis::Survey survey = analysis::survey(*heads.layer, numbers, weights);
  const std::vector<Finding> findings = findings_of(heads, survey, shares_of(terms));

  report::Report report("inspect", heads.parameters);
  report::List results;
  for (const Finding& finding : findings) results.push_back({result_of(finding)});
  report.results = {{"heads", {std::move(results)}},
                    {"ceiling_bits", {survey.ceiling_bits}},
                    {"ceiling_positions", {survey.ceiling_positions}},
                    {"divergence_bits", {report::LazyMatrix(survey.divergence_bits)}}};
  report.lines = {{table_of(findings)},
                  {"means over the queries; ceilings:", report::Decimals{{survey.ceiling_bits}, 4}, "bits,",
                   report::Decimals{{survey.ceiling_positions}, 2}, "positions"}};
  if (heads.shown.size() > 1) {
    report.lines.push_back(
        {"mean Jensen-Shannon divergence between heads (bits):", report::LazyMatrix(survey.divergence_bits)});
    add_repeats(repeats_of(heads, survey.divergence_bits), report);
  }
  add_remarks(*heads.layer, report);
  report.figures = {heads_figure(heads), distances_figure(heads, findings)};
  if (heads.shown.size() > 1) report.figures.push_back(divergence_figure(heads, survey.divergence_bits));
  report.explanation = explained(inspect_explanation(), *heads.layer);
  return report;
}

constexpr std::array kInspectExamples = {
    "mha inspect --input heads.npz",
    "mha inspect --input model.safetensors --layout gpt2 --prefix h.5.attn. --H 12 --x ln1_out.npy",
    "mha inspect --input heads.json --plot"};
const Command kInspect = {
    "inspect",
    "what the heads of your own model do",
    "For each head of a model of your own: which textbook filter it is nearest to, mean bits and effective\n"
    "positions, the rank of its scores, its share of the output; and which heads are near-duplicates.",
    kInspectExamples,
    true,
    [](options::Options& options) { return declared<HeadOptions>(options, declare_inspect, inspect); }};

}  // namespace mha::commands
