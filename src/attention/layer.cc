#include "attention/layer.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "attention/causal_attention.h"
#include "attention/multi_head.h"

namespace mha::attention {

Head head_of(Matrix Q, Matrix K) {
  return {.Q = std::make_shared<const Matrix>(std::move(Q)),
          .K = std::make_shared<const Matrix>(std::move(K))};
}

Head head_of(Matrix Q, Matrix K, Matrix V) {
  Head head = head_of(std::move(Q), std::move(K));
  head.V = std::make_shared<const Matrix>(std::move(V));
  return head;
}

bool Layer::has_values() const {
  return std::all_of(heads.begin(), heads.end(), [](const Head& head) { return head.V != nullptr; });
}

bool Layer::sees(std::size_t h, Index t, Index i) const {
  const SharedMatrix& M = heads[h].M;
  return rules.mask.sees(t, i) && (!M || i >= M->cols() || std::isfinite((*M)(t, i)));
}

Index Layer::visible(std::size_t h, Index t) const {
  if (!heads[h].M) return rules.mask.visible(t, T_k);
  Index count = 0;
  for (Index i = 0; i < T_k; ++i) count += sees(h, t, i) ? 1 : 0;
  return count;
}

bool Layer::is_padding(Index t) const {
  const Index position = t + shift;
  const Index keys = std::min(T_k, rules.mask.extra);
  return placed && position >= 0 && position < keys && !rules.mask.is_token(position);
}

void refuse_overflow(const Layer& layer, const std::string& what) {
  throw std::invalid_argument(layer.name + ": " + what + " overflow a double" +
                              (layer.advice.empty() ? "" : "; " + layer.advice));
}

void require_finite_scores(const Layer& layer, std::size_t h) {
  const Head& head = layer.heads[h];
  if (head.A) return;
  const double bound = largest_score_bound(*head.Q, *head.K);
  if (!std::isfinite(bound) || !std::isfinite(bound * layer.rules.scale.value_or(1.0)))
    refuse_overflow(layer, "the scores Q K' of head " + std::to_string(h + 1));
}

void weights(const Layer& layer, const Head& head, Index first, Block A) {
  if (head.A) return head.A(first, A);
  attention_weights(head, first, A, layer.rules);
}

void head_output(const Layer& layer, const Head& head, Index first, Block O) {
  if (!head.A) return head_output(head, first, O, layer.rules);
  Matrix A(O.rows(), layer.T_k);
  head.A(first, A);
  project(A, *head.V, O);
}

void concat(const Layer& layer, Index first, Block O_concat) {
  const bool from_scores =
      std::none_of(layer.heads.begin(), layer.heads.end(), [](const Head& head) { return bool(head.A); });
  if (from_scores) return concat(layer.heads, first, O_concat, layer.rules);
  Index column = 0;
  for (const Head& head : layer.heads) {
    const Index d_v = head.V->cols();
    head_output(layer, head, first, O_concat.middleCols(column, d_v));
    column += d_v;
  }
}

}  // namespace mha::attention
