#include "commands/pipeline.h"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "analysis/filter_bank.h"
#include "attention/causal_attention.h"
#include "attention/multi_head.h"
#include "commands/heads.h"
#include "commands/lesson_model.h"
#include "commands/own_model.h"
#include "commands/params.h"

namespace mha::commands {
namespace {

using SharedModel = std::shared_ptr<const input::Model>;

/// Fills `O` (n × d_v) with rows of A_h V_h.
void fill_head_output(const input::Model& model, std::size_t h, Index first, Block O) {
  const input::ModelHead& head = model.heads[h];
  if (!head.A) {
    attention::head_output(*head.Q_scaled, *head.K, *head.V, first, O, model.mask);
    return;
  }
  Matrix A(O.rows(), model.T_k);
  head.A(first, A);
  attention::project(A, *head.V, O);
}

std::vector<report::LazyMatrix> head_outputs_of(const SharedModel& model) {
  std::vector<report::LazyMatrix> outputs;
  for (std::size_t h = 0; h < model->heads.size(); ++h) {
    outputs.emplace_back(model->T_q, model->heads[h].V->cols(),
                         [model, h](Index first, Block O) { fill_head_output(*model, h, first, O); });
  }
  return outputs;
}

/// Fills `O_concat` (n × H·d_v) with rows of Concat.
void fill_concat(const input::Model& model, Index first, Block O_concat) {
  std::vector<attention::HeadInputs> inputs;
  for (const input::ModelHead& head : model.heads) {
    if (!head.A) inputs.push_back({head.Q_scaled.get(), head.K.get(), head.V.get()});
  }
  if (inputs.size() == model.heads.size()) return attention::concat(inputs, first, O_concat, model.mask);
  const Index d_v = model.heads.front().V->cols();
  for (std::size_t h = 0; h < model.heads.size(); ++h) {
    fill_head_output(model, h, first, O_concat.middleCols(static_cast<Index>(h) * d_v, d_v));
  }
}

report::LazyMatrix concat_of(const SharedModel& model) {
  const std::size_t H = model->heads.size();
  return {model->T_q, static_cast<Index>(H) * model->heads.front().V->cols(),
          [model](Index first, Block O_concat) { fill_concat(*model, first, O_concat); }};
}

/// The heads with X not yet projected, where X is known.
using Bank = std::vector<std::shared_ptr<const analysis::BankHead>>;

Bank bank_of(const input::Model& model) {
  Bank bank;
  for (const input::ModelHead& head : model.heads) {
    if (head.W_V.size() == 0) return {};
    bank.push_back(std::make_shared<const analysis::BankHead>(
        analysis::BankHead{*head.Q_scaled, *head.K, head.W_V, head.b_V, model.mask}));
  }
  return bank;
}

/// What head h adds: A_h X W_V^h W_O^(h) where X is known, A_h V_h W_O^(h) elsewhere.
report::LazyMatrix term_of(const SharedModel& model, const Bank& bank, const Matrix& W_O, std::size_t h) {
  const Matrix W_O_h = analysis::synthesis_block(W_O, static_cast<Index>(h), model->heads[h].V->cols());
  if (bank.empty()) {
    return {model->T_q, W_O.cols(), [model, h, W_O_h](Index first, Block term) {
              Matrix O(term.rows(), W_O_h.rows());
              fill_head_output(*model, h, first, O);
              attention::project(O, W_O_h, term);
            }};
  }
  return {model->T_q, W_O.cols(), [model, head = bank[h], W_O_h](Index first, Block term) {
            analysis::filter_bank_term(model->X, *head, W_O_h, first, term);
          }};
}

Projection projection(const SharedModel& model, const Bank& bank, const report::LazyMatrix& O_concat,
                      std::string name, const Matrix& W_O) {
  const report::LazyMatrix O(model->T_q, W_O.cols(), [model, O_concat, W_O](Index first, Block rows) {
    attention::project(O_concat.read(first, rows.rows()), W_O, rows);
    if (model->b_O.size() > 0) rows.rowwise() += model->b_O.row(0);
  });
  Projection made{std::move(name), W_O, O, {}};
  for (std::size_t h = 0; h < model->heads.size(); ++h) made.terms.push_back(term_of(model, bank, W_O, h));
  return made;
}

void require_values(const input::Model& model) {
  for (std::size_t h = 0; h < model.heads.size(); ++h) {
    const auto& V = model.heads[h].V;
    if (!V)
      throw std::invalid_argument(
          fmt::format("{}: has no V of head {}, and Concat is made of A_h V_h", model.name, h + 1));
    if (V->cols() != model.heads[0].V->cols())
      throw std::invalid_argument(
          fmt::format("{}: the values of head {} are {} wide, those of head 1 {}; heads share d_v",
                      model.name, h + 1, V->cols(), model.heads[0].V->cols()));
  }
}

/// max_t |V(t, ·)| of a head: O_h's rows are averages of V's. Where X is known its terms are computed from X.
Matrix largest_values(const input::Model& model, const input::ModelHead& head) {
  if (head.W_V.size() == 0) return head.V->cwiseAbs().colwise().maxCoeff();
  Matrix largest = model.X.cwiseAbs().colwise().maxCoeff() * head.W_V.cwiseAbs();
  if (head.b_V.size() > 0) largest += head.b_V.cwiseAbs();
  return largest;
}

/// Refuses a layer of which Concat, what a head adds, or O could be beyond a double, before any of it is
/// printed. The bound has some room, since the weights that a file gives sum to 1 only about.
void require_finite_outputs(const input::Model& model) {
  Matrix largest = model.b_O.cwiseAbs();
  for (std::size_t h = 0; h < model.heads.size(); ++h) {
    const Matrix values = 1.001 * largest_values(model, model.heads[h]);
    if (!values.allFinite())
      throw std::invalid_argument(
          fmt::format("{}: the values V of head {} may overflow a double", model.name, h + 1));
    if (model.W_O.size() == 0) continue;
    const Matrix term =
        values * analysis::synthesis_block(model.W_O, static_cast<Index>(h), values.cols()).cwiseAbs();
    largest = largest.size() == 0 ? term : largest + term;
    if (!largest.allFinite())
      throw std::invalid_argument(
          fmt::format("{}: Concat W_O may overflow a double at head {}'s rows of W_O", model.name, h + 1));
  }
}

}  // namespace

std::string Pipeline::sizes() const { return shown_sizes(*model); }

std::string Pipeline::term(const std::string& h) const {
  const std::string values = model->X.size() > 0 ? fmt::format("X W_V^{}", h) : fmt::format("V_{}", h);
  return fmt::format("A_{0} {1} W_O^({0})", h, values);
}

report::Axis Pipeline::concat_axis() const {
  return {"column of Concat",
          [width = d_v()](Index c) { return fmt::format("h{}.{}", c / width + 1, c % width + 1); }, d_v()};
}

report::Axis Pipeline::token_axis() const {
  return commands::token_axis("token position t", model->shift, model);
}

report::Axis channel_axis() { return {"output channel", report::numbered("d")}; }

Pipeline pipeline_of(std::shared_ptr<const input::Model> model) {
  require_values(*model);
  require_finite_outputs(*model);
  Pipeline pipeline{model, head_outputs_of(model), concat_of(model), {}, model_counts(*model), {}, {}};
  if (model->W_O.size() > 0) {
    pipeline.projections.push_back(projection(model, bank_of(*model), pipeline.O_concat, "", model->W_O));
  }
  return pipeline;
}

Pipeline pipeline_of(const PipelineOptions& options) {
  if (!options.own.file.empty()) {
    Pipeline pipeline = pipeline_of(own_model(options.own));
    pipeline.source = own_source(options.own);
    pipeline.parameters = own_parameters(*pipeline.model, options.own);
    return pipeline;
  }
  Pipeline pipeline = pipeline_of(lesson_pipeline(options));
  const std::vector<std::string> names =
      options.wo == kEveryProjection ? lesson09::kOutputProjections : std::vector{options.wo};
  const Bank bank = bank_of(*pipeline.model);
  for (const std::string& name : names) {
    pipeline.projections.push_back(
        projection(pipeline.model, bank, pipeline.O_concat, name, lesson09::output_projection(name)));
  }
  pipeline.counts = lesson_parameter_counts();
  pipeline.source = fmt::format("gain {}", options.gain);
  pipeline.parameters = {
      {"T", {static_cast<report::Count>(options.T)}}, {"gain", {options.gain}}, {"wo", {options.wo}}};
  return pipeline;
}

}  // namespace mha::commands
