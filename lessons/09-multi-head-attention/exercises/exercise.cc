#include "lessons/09-multi-head-attention/exercises/exercise.h"

#include "lessons/09-multi-head-attention/exercises/exercises.h"

namespace mha::lesson09 {

const std::vector<Exercise>& exercises() {
  static const std::vector<Exercise> all = {output_channels(), split_width(),      replicated_heads(),
                                            two_positions(),   fixed_head_width(), sharper_head()};
  return all;
}

Matrix number(double value) { return Matrix::Constant(1, 1, value); }

Matrix list(const std::vector<double>& values) {
  return Eigen::Map<const Matrix>(values.data(), 1, static_cast<Index>(values.size()));
}

std::vector<report::Line> text_lines(const std::vector<std::string>& texts) {
  std::vector<report::Line> lines;
  lines.reserve(texts.size());
  for (const std::string& text : texts) lines.push_back({text});
  return lines;
}

void Solution::add_text(const std::vector<std::string>& texts) {
  const std::vector<report::Line> added = text_lines(texts);
  lines.insert(lines.end(), added.begin(), added.end());
}

}  // namespace mha::lesson09
