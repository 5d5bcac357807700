#include "lessons/09-multi-head-attention/lesson.h"

#include <memory>

namespace mha::lesson09 {

Matrix output_projection(Projection projection) {
  Matrix W_O = Matrix::Zero(kModelWidth, kModelWidth);
  switch (projection) {
    case Projection::kMixing:
      W_O << 1, 0, 0, 0,  // h1.1 → d1
          0, 1, 0, 0,     // h1.2 → d2
          1, 0, -1, 0,    // h2.1 → d1 and, negated, d3
          0, 0, 0, 1;     // h2.2 → d4
      break;
    case Projection::kIdentity:
      W_O.setIdentity();
      break;
    case Projection::kSwap:
      W_O.topRightCorner(2, 2).setIdentity();
      W_O.bottomLeftCorner(2, 2).setIdentity();
      break;
  }
  return W_O;
}

attention::Layer two_head_pipeline(Index T, double gain, Projection projection) {
  attention::Layer layer = empty_layer(T, gain);
  layer.X = Matrix::Identity(T, kModelWidth);
  layer.W_O = output_projection(projection);
  const Matrix selector = Matrix::Identity(kModelWidth, kModelWidth);
  layer.heads = {hand_set_head(3, T, gain), hand_set_head(4, T, gain)};
  layer.heads[0].W_V = selector.rightCols(kHeadWidth);
  layer.heads[1].W_V = selector.leftCols(kHeadWidth);
  for (attention::Head& head : layer.heads) {
    head.name = head.filter = "";
    head.V = std::make_shared<const Matrix>(layer.X.lazyProduct(head.W_V));
  }
  layer.kv_heads = layer.H();
  for (std::size_t h = 0; h < layer.heads.size(); ++h) attention::require_finite_scores(layer, h);
  if (T == kModelWidth) {
    layer.W_Q.resize(kModelWidth, kModelWidth);
    layer.W_Q << *layer.heads[0].Q, *layer.heads[1].Q;
  }
  return layer;
}

}  // namespace mha::lesson09
