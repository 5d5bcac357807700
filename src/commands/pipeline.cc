#include "commands/pipeline.h"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "analysis/filter_bank.h"
#include "attention/multi_head.h"

namespace mha::commands {
namespace {

Projection projection(const SharedLayer& layer, const report::LazyMatrix& O_concat, std::string name,
                      const Matrix& W_O) {
  const report::LazyMatrix O(layer->T_q, W_O.cols(), [layer, O_concat, W_O](Index first, Block rows) {
    attention::project(O_concat.read(first, rows.rows()), W_O, rows);
    if (layer->b_O.size() > 0) rows.rowwise() += layer->b_O.row(0);
  });
  Projection made{std::move(name), W_O, O, {}};
  Index h = 0;
  for (const attention::Head& head : layer->heads) {
    const Matrix W_O_h = analysis::synthesis_block(W_O, h++, head.V->cols());
    made.terms.emplace_back(layer->T_q, W_O.cols(), [layer, &head, W_O_h](Index first, Block term) {
      analysis::filter_bank_term(*layer, head, W_O_h, first, term);
    });
  }
  return made;
}

void require_values(const attention::Layer& layer) {
  for (std::size_t h = 0; h < layer.heads.size(); ++h) {
    const auto& V = layer.heads[h].V;
    if (!V)
      throw std::invalid_argument(
          fmt::format("{}: has no V of head {}, and Concat is made of A_h V_h", layer.name, h + 1));
    if (V->cols() != layer.heads[0].V->cols())
      throw std::invalid_argument(
          fmt::format("{}: the values of head {} are {} wide, those of head 1 {}; heads share d_v",
                      layer.name, h + 1, V->cols(), layer.heads[0].V->cols()));
  }
}

/// max_t |V(t, ·)| of a head: O_h's rows are averages of V's. Where X is known its terms are computed from X.
Matrix largest_values(const attention::Layer& layer, const attention::Head& head) {
  if (head.W_V.size() == 0) return head.V->cwiseAbs().colwise().maxCoeff();
  Matrix largest = layer.X.cwiseAbs().colwise().maxCoeff().lazyProduct(head.W_V.cwiseAbs());
  if (head.b_V.size() > 0) largest += head.b_V.cwiseAbs();
  return largest;
}

/// Refuses a layer of which Concat, what a head adds, or O could be beyond a double, before any of it is
/// printed. The bound has some room, since the weights that a file gives sum to 1 only about.
void require_finite_outputs(const attention::Layer& layer) {
  Matrix largest = layer.b_O.cwiseAbs();
  for (std::size_t h = 0; h < layer.heads.size(); ++h) {
    const Matrix values = 1.001 * largest_values(layer, layer.heads[h]);
    if (!values.allFinite())
      throw std::invalid_argument(
          fmt::format("{}: the values V of head {} may overflow a double", layer.name, h + 1));
    if (layer.W_O.size() == 0) continue;
    const Matrix term = values.lazyProduct(
        analysis::synthesis_block(layer.W_O, static_cast<Index>(h), values.cols()).cwiseAbs());
    largest = largest.size() == 0 ? term : largest + term;
    if (!largest.allFinite())
      throw std::invalid_argument(
          fmt::format("{}: Concat W_O may overflow a double at head {}'s rows of W_O", layer.name, h + 1));
  }
}

Pipeline pipeline_of(Loaded loaded) {
  const SharedLayer layer = std::move(loaded.layer);
  require_values(*layer);
  require_finite_outputs(*layer);
  const Index width = layer->H() * layer->heads.front().V->cols();
  Pipeline pipeline{
      layer,
      {},
      {layer->T_q, width, [layer](Index first, Block rows) { attention::concat(*layer, first, rows); }},
      {},
      {},
      std::move(loaded.title),
      std::move(loaded.parameters)};
  for (const attention::Head& head : layer->heads) {
    pipeline.head_outputs.emplace_back(layer->T_q, head.V->cols(), [layer, &head](Index first, Block O) {
      attention::head_output(*layer, head, first, O);
    });
  }
  for (const auto& [name, W_O] : loaded.projections) {
    pipeline.projections.push_back(projection(layer, pipeline.O_concat, name, W_O));
  }
  if (const auto counted = counts_of(*layer)) pipeline.counts = counted->counts;
  return pipeline;
}

}  // namespace

std::string Pipeline::term(const std::string& h) const {
  const std::string values = layer->X.size() > 0 ? fmt::format("X W_V^{}", h) : fmt::format("V_{}", h);
  return fmt::format("A_{0} {1} W_O^({0})", h, values);
}

report::Axis Pipeline::concat_axis() const {
  return {"column of Concat",
          [width = d_v()](Index c) { return fmt::format("h{}.{}", c / width + 1, c % width + 1); }, d_v()};
}

report::Axis Pipeline::token_axis() const {
  return commands::token_axis("token position t", layer->shift, layer);
}

report::Axis channel_axis() { return {"output channel", report::numbered("d")}; }

Pipeline pipeline_of(const SharedLayer& layer) {
  Loaded loaded{layer, {}, {}};
  if (layer->W_O.size() > 0) loaded.projections = {{"", layer->W_O}};
  return pipeline_of(std::move(loaded));
}

Pipeline pipeline_of(const Source& source, const std::vector<lesson09::Projection>& projections) {
  Loaded loaded = load_pipeline(source, projections);
  if (loaded.layer->W_O.size() == 0 && !loaded.layer->missing_W_O.empty())
    throw std::invalid_argument(loaded.layer->missing_W_O);
  return pipeline_of(std::move(loaded));
}

std::optional<SizesAndCounts> counts_of(const attention::Layer& layer) {
  const attention::Head& first = layer.heads.front();
  const Index d_model = layer.X.size() > 0 ? layer.X.cols() : layer.W_O.cols();
  if (!first.Q || !first.V || d_model == 0 || layer.W_O.size() == 0) return std::nullopt;
  for (const attention::Head& head : layer.heads) {
    if (!head.Q || !head.V || head.Q->cols() != first.Q->cols() || head.V->cols() != first.V->cols())
      return std::nullopt;
  }
  const auto whole = [](Index n) { return static_cast<analysis::Count>(n); };
  const analysis::BlockSizes sizes{
      whole(d_model), layer.heads.size(),    whole(first.Q->cols()), whole(layer.kv_heads),
      false,          whole(first.V->cols())};
  analysis::ParameterCounts counts = analysis::parameter_counts(sizes);
  counts.n_wo = whole(layer.W_O.size());
  counts.n_bias = whole(layer.biases);
  counts.n_tot = counts.n_qkv + counts.n_wo + counts.n_bias;
  return SizesAndCounts{sizes, counts};
}

report::Line parameter_line(const analysis::ParameterCounts& counts) {
  report::Line line = {"parameters: W_Q, W_K, W_V =", counts.n_qkv, "  W_O =", counts.n_wo};
  if (counts.n_bias > 0) line.insert(line.end(), {"  biases =", counts.n_bias});
  line.insert(line.end(), {"  total =", counts.n_tot});
  return line;
}

}  // namespace mha::commands
