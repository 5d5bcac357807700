#include "analysis/slips.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

#include "attention/multi_head.h"

namespace mha::analysis {
namespace {

using attention::Head;
using attention::Layer;
using attention::Mask;
using attention::SharedMatrix;

/// Rows of the scores as the softmax takes them, −∞ where a key is not seen.
Matrix masked_scores(const Layer& layer, std::size_t h, Index first, Index n) {
  const Head& head = layer.heads[h];
  Matrix S(n, layer.T_k);
  attention::project(head.Q->middleRows(first, n), head.K->transpose(), S);
  S *= layer.rules.scale.value_or(1.0 / std::sqrt(static_cast<double>(head.K->cols())));
  for (Index r = 0; r < n; ++r) {
    for (Index i = 0; i < layer.T_k; ++i) {
      double& score = S(r, i);
      if (layer.rules.softcap) score = *layer.rules.softcap * std::tanh(score / *layer.rules.softcap);
      if (head.M && i < head.M->cols()) score += (*head.M)(first + r, i);
      if (!layer.sees(h, first + r, i)) score = -std::numeric_limits<double>::infinity();
    }
  }
  return S;
}

/// The rows of softmax along the queries: each column sums to 1.
RowSource column_softmax(const std::shared_ptr<const Layer>& layer, std::size_t h) {
  constexpr Index kHeight = 64;
  Eigen::RowVectorXd largest =
      Eigen::RowVectorXd::Constant(layer->T_k, -std::numeric_limits<double>::infinity());
  Eigen::RowVectorXd sums = Eigen::RowVectorXd::Zero(layer->T_k);
  const auto each_block = [&](const auto& visit) {
    for (Index first = 0; first < layer->T_q; first += kHeight)
      visit(masked_scores(*layer, h, first, std::min(kHeight, layer->T_q - first)));
  };
  const auto exponentials = [](const Matrix& S, const Eigen::RowVectorXd& less) {
    return Matrix((S.rowwise() - less).array().exp());
  };
  each_block([&](const Matrix& S) { largest = largest.cwiseMax(S.colwise().maxCoeff()); });
  largest = largest.array().isFinite().select(largest, 0.0);  // a key that nobody sees has no weight
  each_block([&](const Matrix& S) { sums += exponentials(S, largest).colwise().sum(); });
  sums = (sums.array() > 0.0).select(sums, 1.0);
  return [layer, h, largest, sums, exponentials](Index first, Block A) {
    A = exponentials(masked_scores(*layer, h, first, A.rows()), largest);
    A.array().rowwise() /= sums.array();
  };
}

Layer with_scale(Layer layer, double scale) {
  layer.rules.scale = scale;
  return layer;
}

Layer with_offset(Layer layer, Index offset) {
  layer.rules.mask.offset = offset;
  return layer;
}

/// Without the causal mask, the array that is a mask, the padding or the window, and without any of them.
std::vector<Layer> without_masks(const Layer& layer) {
  std::vector<Layer> all;
  Layer none = layer;
  const Mask& mask = layer.rules.mask;
  const auto drop = [&](bool there, const auto& change) {
    if (!there) return;
    change(all.emplace_back(layer));
    change(none);
  };
  drop(mask.is_causal(), [](Layer& one) { one.rules.mask.offset = Mask::kFar; });
  drop(mask.from > -Mask::kFar, [](Layer& one) { one.rules.mask.from = -Mask::kFar; });
  drop(mask.tokens_before != nullptr, [](Layer& one) { one.rules.mask.tokens_before.reset(); });
  drop(mask.length < layer.T_k, [](Layer& one) { one.rules.mask.length = Mask::kFar; });
  drop(layer.heads.front().M != nullptr, [](Layer& one) {
    for (Head& head : one.heads) head.M.reset();
  });
  if (all.size() > 1) all.push_back(std::move(none));
  return all;
}

/// Q and K turned by the other pairs of numbers.
std::vector<Layer> with_other_pairs(const Layer& layer) {
  if (!layer.rotary) return {};
  Layer changed = layer;
  attention::Rotary other = *layer.rotary;
  other.pairs = other.pairs == attention::RotaryPairs::kHalf ? attention::RotaryPairs::kInterleaved
                                                             : attention::RotaryPairs::kHalf;
  const auto turned = [&](const Matrix& M, Index first) {
    return std::make_shared<const Matrix>(
        attention::rotated(attention::rotated(M, first, *layer.rotary, true), first, other));
  };
  for (Head& head : changed.heads) {
    head.Q = turned(*head.Q, layer.shift);
    head.K = turned(*head.K, 0);
  }
  return {changed};
}

SharedMatrix without(const SharedMatrix& M, const Matrix& bias) {
  return bias.size() == 0 || !M ? M : std::make_shared<const Matrix>(M->rowwise() - bias.row(0));
}

Layer without_biases(Layer layer, bool of_Q, bool of_K, bool of_V, bool of_O) {
  for (Head& head : layer.heads) {
    if (of_Q) head.Q = without(head.Q, head.b_Q);
    if (of_K) head.K = without(head.K, head.b_K);
    if (of_V) head.V = without(head.V, head.b_V);
  }
  if (of_O) layer.b_O.resize(0, 0);
  return layer;
}

bool has_scores(const Layer& layer) {
  return std::all_of(layer.heads.begin(), layer.heads.end(), [](const Head& head) { return !head.A; });
}

double default_scale(const Layer& layer) {
  return layer.rules.scale.value_or(1.0 / std::sqrt(static_cast<double>(layer.heads.front().K->cols())));
}

double model_width(const Layer& layer) {
  const Index width = layer.X.size() > 0     ? layer.X.cols()
                      : layer.W_O.size() > 0 ? layer.W_O.cols()
                                             : layer.H() * layer.heads.front().K->cols();
  return static_cast<double>(width);
}

std::vector<Layer> of_scores(const Layer& layer, Slip slip) {
  const bool causal = layer.rules.mask.is_causal();
  const Index bottom_right = std::min(layer.T_k, layer.rules.mask.extra) - layer.T_q;
  switch (slip) {
    case Slip::kMaskMissing:
      return without_masks(layer);
    case Slip::kMaskAdded:
      return causal ? std::vector<Layer>() : std::vector{with_offset(layer, bottom_right)};
    case Slip::kOtherAlignment:
      if (!causal || bottom_right == 0) return {};
      return {with_offset(layer, layer.rules.mask.offset == 0 ? bottom_right : 0)};
    case Slip::kScaleMissing:
      return {with_scale(layer, 1.0)};
    case Slip::kScaleByModel:
      return {with_scale(layer, 1.0 / std::sqrt(model_width(layer)))};
    case Slip::kScaleTwice:
      return {with_scale(layer, default_scale(layer) * default_scale(layer))};
    case Slip::kRotaryPairs:
      return with_other_pairs(layer);
    default:
      break;
  }
  Layer changed = layer;  // softmax over the queries
  const auto right = std::make_shared<const Layer>(layer);
  for (std::size_t h = 0; h < changed.heads.size(); ++h) changed.heads[h].A = column_softmax(right, h);
  return {changed};
}

std::vector<Layer> tiled(const Layer& layer) {
  const Index kv = layer.kv_heads;
  const Index group = kv == 0 ? 1 : layer.H() / kv;
  if (group == 1 || kv == 1) return {};
  Layer changed = layer;
  for (Index h = 0; h < layer.H(); ++h) {
    const Head& source = layer.heads[static_cast<std::size_t>(h % kv * group)];
    Head& head = changed.heads[static_cast<std::size_t>(h)];
    head.K = source.K;
    head.V = source.V;
  }
  return {changed};
}

/// Where in Concat (T × H·d_v) the entry (t, c) of a wrong one comes from.
std::pair<Index, Index> origin(Implementation::Concat merge, Index t, Index c, Index T, Index H, Index d_v) {
  if (merge == Implementation::Concat::kInterleaved) return {t, c % H * d_v + c / H};
  const Index flat = t * H * d_v + c;  // of [H, T, d_v]
  return {flat / d_v % T, flat / (T * d_v) * d_v + flat % d_v};
}

}  // namespace

const char* description_of(Slip slip) {
  constexpr std::array kDescriptions = {
      "the mask is missing",
      "there is a causal mask",
      "the mask is aligned with the other corner",
      "the scores are not scaled",
      "the scores are scaled by 1/sqrt(d_model)",
      "the scores are scaled twice",
      "the softmax runs over the queries",
      "rotary positions turn the other pairs of numbers",
      "K/V heads are tiled, not repeated",
      "a bias is missing",
      "the output bias is added once per head",
      "W_O is transposed",
      "the heads are merged as [T, d_v, H]",
      "the heads are merged without a transpose, as a view of [H, T, d_v]",
      "the heads are in another order",
  };
  static_assert(kDescriptions.size() == kSlipNames.size());
  return kDescriptions.at(static_cast<std::size_t>(slip));
}

void Implementation::weights(std::size_t h, Index first, Block A) const {
  const std::size_t head = order.empty() ? h : static_cast<std::size_t>(order[h]);
  attention::weights(layer, layer.heads[head], first, A);
}

void Implementation::concat(Index first, Block O_concat) const {
  if (merge == Concat::kRight && order.empty()) return attention::concat(layer, first, O_concat);
  const Index H = layer.H();
  const Index width = O_concat.cols();
  const Index d_v = width / H;
  const bool all = merge == Concat::kNotTransposed;
  Matrix right(all ? layer.T_q : O_concat.rows(), width);
  attention::concat(layer, all ? 0 : first, right);
  for (Index r = 0; r < O_concat.rows(); ++r) {
    for (Index c = 0; c < width; ++c) {
      if (merge == Concat::kRight) {
        O_concat(r, c) = right(r, order[static_cast<std::size_t>(c / d_v)] * d_v + c % d_v);
      } else {
        const auto [row, column] = origin(merge, first + r, c, layer.T_q, H, d_v);
        O_concat(r, c) = right(all ? row : r, column);
      }
    }
  }
}

void Implementation::output(Index first, Block O) const {
  Matrix O_concat(O.rows(), layer.W_O.rows());
  concat(first, O_concat);
  attention::project(O_concat, layer.W_O, O);
  if (layer.b_O.size() > 0) O.rowwise() += static_cast<double>(output_biases) * layer.b_O.row(0);
}

std::vector<Implementation> with_slip(const attention::Layer& layer, Slip slip) {
  std::vector<Layer> layers;
  switch (slip) {
    case Slip::kHeadsReordered:
      return {};
    case Slip::kValueHeadsTiled:
      layers = has_scores(layer) ? tiled(layer) : std::vector<Layer>();
      break;
    case Slip::kBiasMissing:
      if (layer.biases == 0) return {};
      if (layer.rotary) {  // what a bias adds to Q and K was turned with them
        layers = {without_biases(layer, false, false, true, false),
                  without_biases(layer, false, false, false, true)};
        break;
      }
      layers = {without_biases(layer, true, true, true, true), without_biases(layer, true, true, true, false),
                without_biases(layer, false, false, false, true),
                without_biases(layer, true, false, false, false),
                without_biases(layer, false, false, true, false)};
      break;
    case Slip::kBiasPerHead:
      if (layer.b_O.size() == 0) return {};
      return {{.layer = layer, .output_biases = layer.H()}};
    case Slip::kOutputTransposed:
      if (layer.W_O.size() == 0 || layer.W_O.rows() != layer.W_O.cols()) return {};
      layers = {layer};
      layers.front().W_O.transposeInPlace();
      break;
    case Slip::kHeadsInterleaved:
      return {{.layer = layer, .merge = Implementation::Concat::kInterleaved}};
    case Slip::kHeadsNotTransposed:
      return {{.layer = layer, .merge = Implementation::Concat::kNotTransposed}};
    default:
      if (has_scores(layer)) layers = of_scores(layer, slip);
  }
  std::vector<Implementation> made;
  for (Layer& one : layers) made.push_back({.layer = std::move(one)});
  return made;
}

void try_orders(Index H, const std::function<bool(const std::vector<Index>& order)>& tried) {
  constexpr Index kAllOrders = 6;
  std::vector<Index> own(static_cast<std::size_t>(H));
  std::iota(own.begin(), own.end(), Index{0});
  std::vector<Index> order = own;
  if (H <= kAllOrders) {
    while (std::next_permutation(order.begin(), order.end())) {
      if (tried(order)) return;
    }
    return;
  }
  std::reverse(order.begin(), order.end());
  if (tried(order)) return;
  for (Index shift = 1; shift < H; ++shift) {
    std::rotate_copy(own.begin(), own.begin() + shift, own.end(), order.begin());
    if (tried(order)) return;
  }
  for (auto one = own.begin(); one != own.end(); ++one) {
    for (auto other = one + 1; other != own.end(); ++other) {
      order = own;
      std::swap(order[static_cast<std::size_t>(*one)], order[static_cast<std::size_t>(*other)]);
      if (tried(order)) return;
    }
  }
}

}  // namespace mha::analysis
