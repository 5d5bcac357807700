#include "lessons/09-multi-head-attention/pipeline.h"

#include <stdexcept>
#include <utility>

#include "lessons/09-multi-head-attention/heads.h"

namespace mha::lesson09 {

Matrix output_projection(const std::string& name) {
  Matrix W_O = Matrix::Zero(kModelWidth, kModelWidth);
  if (name == "mixing") {
    W_O << 1, 0, 0, 0,  // h1.1 → d1
        0, 1, 0, 0,     // h1.2 → d2
        1, 0, -1, 0,    // h2.1 → d1 and, negated, d3
        0, 0, 0, 1;     // h2.2 → d4
  } else if (name == "identity") {
    W_O.setIdentity();
  } else if (name == "swap") {
    W_O.topRightCorner(2, 2).setIdentity();
    W_O.bottomLeftCorner(2, 2).setIdentity();
  } else {
    throw std::invalid_argument("no output projection is called " + name);
  }
  return W_O;
}

Pipeline two_head_pipeline(Index T, double gain) {
  const Matrix selector = Matrix::Identity(kModelWidth, kModelWidth);
  NamedHead self = hand_set_head(3, T, gain);
  NamedHead uniform = hand_set_head(4, T, gain);
  return {Matrix::Identity(T, kModelWidth),
          {{std::move(self.Q), std::move(self.K), selector.rightCols(kHeadWidth)},
           {std::move(uniform.Q), std::move(uniform.K), selector.leftCols(kHeadWidth)}}};
}

Matrix packed_W_Q(const Pipeline& pipeline) {
  Matrix packed(pipeline.X.rows(), kModelWidth);
  packed << pipeline.heads[0].Q, pipeline.heads[1].Q;
  return packed;
}

double slice_deviation(const Pipeline& pipeline) {
  const Matrix Q_all = pipeline.X * packed_W_Q(pipeline);
  return (Q_all.leftCols(kHeadWidth) - pipeline.heads[0].Q).cwiseAbs().maxCoeff();
}

}  // namespace mha::lesson09
