#include "lessons/09-multi-head-attention/heads.h"

#include <cmath>
#include <numbers>
#include <stdexcept>

namespace mha::lesson09 {

Matrix position_code(Index T, double gain, Index lag) {
  Matrix code(T, kHeadWidth);
  for (Index i = 1; i <= T; ++i) {
    const double angle = 2.0 * std::numbers::pi * static_cast<double>(i - lag) / static_cast<double>(T);
    code(i - 1, 0) = gain * std::cos(angle);
    code(i - 1, 1) = gain * std::sin(angle);
  }
  return code;
}

NamedHead hand_set_head(int number, Index T, double gain) {
  const Matrix zero = Matrix::Zero(T, kHeadWidth);
  switch (number) {
    case 1: {
      NamedHead head{1, "first token", zero, zero};
      head.K(0, 0) = gain;
      head.Q.col(0).setOnes();
      return head;
    }
    case 2:
      return {2, "previous token", position_code(T, gain, 1), position_code(T, gain, 0)};
    case 3: {
      const Matrix code = position_code(T, gain, 0);
      return {3, "self", code, code};
    }
    case 4:
      return {4, "uniform", zero, zero};
    default:
      throw std::invalid_argument("the lesson has heads 1 to 4, not " + std::to_string(number));
  }
}

}  // namespace mha::lesson09
