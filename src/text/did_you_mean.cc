#include "text/did_you_mean.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numeric>

namespace mha::text {
namespace {

/// The optimal string alignment distance: letters inserted, dropped, changed or two neighbours swapped,
/// the case of a letter not counted.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last;
  std::vector<std::size_t> last(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  const auto same = [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
  };
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::vector<std::size_t> row(b.size() + 1, i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = same(a[i - 1], b[j - 1]) ? 0 : 1;
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + change});
      if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1])) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
    before_last = std::move(last);
    last = std::move(row);
  }
  return last.back();
}

/// `-T` and `--T` are the same slip away from `--T`, and `help` is none away from `--help`.
std::string_view without_dashes(std::string_view word) {
  return word.substr(std::min(word.find_first_not_of('-'), word.size()));
}

}  // namespace

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
  constexpr std::size_t kLongestWord = 64;  // nobody means a longer one, and the distance is quadratic
  const std::string_view bare = without_dashes(word);
  if (bare.empty() || bare.size() > kLongestWord) return "";
  const std::string* nearest = nullptr;
  std::size_t least = 0;
  for (const std::string& candidate : known) {
    const std::string_view bare_candidate = without_dashes(candidate);
    // A word broken off early is no slip at all.
    const bool beginning = bare.size() >= 2 && bare_candidate.starts_with(bare);
    const std::size_t slips = beginning ? 0 : distance(bare, bare_candidate);
    // Two slips at most, and fewer than would make any short word fit any other.
    if (slips > 2 || 2 * slips >= std::max(bare.size(), bare_candidate.size())) continue;
    if (nearest == nullptr || slips < least) {
      nearest = &candidate;
      least = slips;
    }
  }
  return nearest != nullptr ? fmt::format("; did you mean '{}'?", *nearest) : "";
}

}  // namespace mha::text
