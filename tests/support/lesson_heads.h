#pragma once

#include <string>

#include "lessons/09-multi-head-attention/lesson.h"

namespace mha::test {

/// One of the lesson's heads, its matrices at hand.
struct LessonHead {
  std::string name;
  Matrix Q;
  Matrix K;
};

inline LessonHead lesson_head(int number, Index T, double gain) {
  const attention::Head head = lesson09::hand_set_head(number, T, gain);
  return {head.name, *head.Q, *head.K};
}

}  // namespace mha::test
