#include "commands/lesson_model.h"

#include <fmt/format.h>

#include <cmath>
#include <set>
#include <stdexcept>
#include <utility>

#include "attention/causal_attention.h"
#include "input/memory.h"

namespace mha::commands {
namespace {

void require_memory_for(Index T, double numbers_per_token) {
  input::require_memory(fmt::format("--T {}", T),
                        numbers_per_token * static_cast<double>(T) * sizeof(double));
}

input::Model layer(Index T) {
  input::Model model{};
  model.name = "the lesson";
  model.T_q = model.T_k = T;
  return model;
}

/// Refuses a gain at which a score could overflow a double.
input::ModelHead head(std::string name, Matrix Q, Matrix K, int number, double gain) {
  if (!std::isfinite(attention::largest_score_bound(Q, K))) {
    throw std::invalid_argument(fmt::format(
        "--gain {}: the scores Q K' of head {} overflow a double; give a gain nearer to 0", gain, number));
  }
  input::ModelHead made;
  made.name = std::move(name);
  made.Q = made.Q_scaled = std::make_shared<const Matrix>(std::move(Q));
  made.K = std::make_shared<const Matrix>(std::move(K));
  return made;
}

}  // namespace

std::shared_ptr<const input::Model> lesson_heads(const HeadOptions& options) {
  const std::set<int> distinct(options.heads.begin(), options.heads.end());
  // Q and K of each head, their making, and a few rows of A or columns of results.
  require_memory_for(options.T, 2.0 * lesson09::kHeadWidth * static_cast<double>(distinct.size()) + 8.0);
  input::Model model = layer(options.T);
  model.heads.resize(lesson09::kHeads);
  model.kv_heads = lesson09::kHeads;
  for (const int number : distinct) {
    lesson09::NamedHead made = lesson09::hand_set_head(number, options.T, options.gain);
    model.heads[static_cast<std::size_t>(number) - 1] =
        head(made.name, std::move(made.Q), std::move(made.K), number, options.gain);
  }
  return std::make_shared<const input::Model>(std::move(model));
}

std::shared_ptr<const input::Model> lesson_pipeline(const PipelineOptions& options) {
  // X and both heads' Q, K and V, twice while they are handed on, and a row of A.
  require_memory_for(
      options.T, 2.0 * (lesson09::kModelWidth + 3.0 * lesson09::kHeadWidth * lesson09::kPipelineHeads) + 1.0);
  lesson09::Pipeline pipeline = lesson09::two_head_pipeline(options.T, options.gain);
  input::Model model = layer(options.T);
  model.kv_heads = lesson09::kPipelineHeads;
  model.W_Q = lesson09::packed_W_Q(pipeline);
  for (analysis::BankHead& bank : pipeline.heads) {
    const int number = static_cast<int>(model.heads.size()) + 1;
    input::ModelHead made = head("", std::move(bank.Q), std::move(bank.K), number, options.gain);
    made.V = std::make_shared<const Matrix>(pipeline.X * bank.W_V);
    made.W_V = std::move(bank.W_V);
    model.heads.push_back(std::move(made));
  }
  model.X = std::move(pipeline.X);
  return std::make_shared<const input::Model>(std::move(model));
}

}  // namespace mha::commands
