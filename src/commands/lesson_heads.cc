#include "commands/lesson_heads.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <map>
#include <set>
#include <stdexcept>

#include "commands/requirements.h"

namespace mha::commands {

std::vector<SharedHead> lesson_heads(const HeadOptions& options) {
  const std::set<int> distinct(options.heads.begin(), options.heads.end());
  // Q and K of each head, their making, and a few rows of A or columns of results.
  const double numbers_per_token = 2.0 * lesson09::kHeadWidth * static_cast<double>(distinct.size()) + 8.0;
  require_memory(fmt::format("--T {}", options.T),
                 numbers_per_token * static_cast<double>(options.T) * sizeof(double));

  std::map<int, SharedHead> made;
  std::vector<SharedHead> heads;
  for (const int number : options.heads) {
    SharedHead& head = made[number];
    if (!head) {
      head = std::make_shared<lesson09::NamedHead>(lesson09::hand_set_head(number, options.T, options.gain));
      require_finite_scores(head->Q, head->K, number, options.gain);
    }
    heads.push_back(head);
  }
  return heads;
}

report::Object head_parameters(const HeadOptions& options) {
  report::List heads;
  for (const int head : options.heads) heads.push_back({static_cast<report::Count>(head)});
  return {{"T", {static_cast<report::Count>(options.T)}},
          {"gain", {options.gain}},
          {"heads", {std::move(heads)}}};
}

std::string head_list(const std::vector<int>& heads) {
  bool run = heads.size() > 1;
  for (std::size_t i = 1; i < heads.size(); ++i) run = run && heads[i] == heads[i - 1] + 1;
  if (run) return fmt::format("heads {}..{}", heads.front(), heads.back());
  return fmt::format("{} {}", heads.size() == 1 ? "head" : "heads", fmt::join(heads, ","));
}

std::string head_count(const std::vector<SharedHead>& heads) {
  return heads.size() == 1 ? fmt::format("head {}", heads.front()->number)
                           : fmt::format("{} heads", heads.size());
}

std::size_t head_grid_columns(std::size_t heads) {
  if (heads <= 3) return heads;
  return heads == 4 ? 2 : 4;
}

}  // namespace mha::commands
