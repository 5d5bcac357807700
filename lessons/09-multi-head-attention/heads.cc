#include "lessons/09-multi-head-attention/lesson.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <stdexcept>
#include <utility>

namespace mha::lesson09 {
namespace {

attention::Head named(const char* name, const char* filter, attention::Head head) {
  head.name = name;
  head.filter = filter;
  return head;
}

}  // namespace

Matrix position_code(Index T, double gain, Index lag) {
  Matrix code(T, kHeadWidth);
  for (Index i = 1; i <= T; ++i) {
    const double angle = 2.0 * std::numbers::pi * static_cast<double>(i - lag) / static_cast<double>(T);
    code(i - 1, 0) = gain * std::cos(angle);
    code(i - 1, 1) = gain * std::sin(angle);
  }
  return code;
}

attention::Head hand_set_head(int number, Index T, double gain) {
  const Matrix zero = Matrix::Zero(T, kHeadWidth);
  switch (number) {
    case 1: {
      Matrix Q = zero;
      Matrix K = zero;
      Q.col(0).setOnes();
      K(0, 0) = gain;
      return named("first token", "first-sample hold", attention::head_of(std::move(Q), std::move(K)));
    }
    case 2:
      return named("previous token", "unit delay z⁻¹",
                   attention::head_of(position_code(T, gain, 1), position_code(T, gain, 0)));
    case 3: {
      const Matrix code = position_code(T, gain, 0);
      return named("self", "identity", attention::head_of(code, code));
    }
    case 4:
      return named("uniform", "growing box", attention::head_of(zero, zero));
    default:
      throw std::invalid_argument("the lesson has heads 1 to 4, not " + std::to_string(number));
  }
}

attention::Layer empty_layer(Index T, double gain) {
  attention::Layer layer;
  layer.name = fmt::format("--gain {}", gain);
  layer.advice = "give a gain nearer to 0";
  layer.T_q = layer.T_k = T;
  return layer;
}

attention::Layer four_heads(Index T, double gain) {
  attention::Layer layer = empty_layer(T, gain);
  for (int number = 1; number <= kHeads; ++number) layer.heads.push_back(hand_set_head(number, T, gain));
  layer.kv_heads = layer.H();
  return layer;
}

}  // namespace mha::lesson09
