#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "analysis/entropy.h"
#include "attention/causal_attention.h"
#include "lessons/09-multi-head-attention/exercises/exercises.h"

namespace mha::lesson09 {
namespace {

constexpr Index kDesignedRow = 4;
constexpr double kApart = 0.05;  ///< how far apart positions 1 and 3 may be
constexpr double kLeast = 0.4;   ///< what each of them gets at least
constexpr double kMost = 0.1;    ///< what positions 2 and 4 get at most
/// A design that meets a limit exactly on paper may miss it by the last digit of an exponential.
constexpr double kRounding = 1e-12;

/// Row 4 of the causal attention weights, 1 × 4: later keys are masked, and other rows are not asked for.
Matrix row_4(const Matrix& Q, const Matrix& K) {
  Matrix row(1, kDesignedRow);
  attention::attention_weights(Q.topRows(kDesignedRow), K.topRows(kDesignedRow), kDesignedRow - 1, row);
  return row;
}

double bits_of(const Matrix& row) {
  return analysis::entropy_bits({row.data(), static_cast<std::size_t>(row.size())});
}

report::Object numbers(const Matrix& row) {
  return {{"row_4", report::Vector{Matrix(row.transpose())}},
          {"bits", bits_of(row)},
          {"bits_one_hot", bits_of(list({1.0, 0.0, 0.0, 0.0}))}};
}

/// The lesson's first head with a second key like the first: keys 1 and 3 have the gain in column 1, every
/// query asks for that column.
Solution solve_two_positions() {
  constexpr double kSharpGain = 6.0;
  const attention::Head head = hand_set_head(1, kDesignedRow, kSharpGain);
  const Matrix& Q = *head.Q;
  Matrix K = *head.K;
  K.row(2) = K.row(0);
  const Matrix row = row_4(Q, K);
  const double bits = bits_of(row);
  return {{{"Q", Q}, {"K", K}},
          numbers(row),
          {
              {"Head 1 looks at the one key that has a feature. Give key 3 the same feature:"},
              {""},
              {"K:", report::LazyMatrix(K)},
              {"row 4:", report::Vector{Matrix(row.transpose())}},
              {"row 4 spends", report::Decimals{{bits}, 6}, "bits, about",
               report::Decimals{{std::exp2(bits)}, 2}, "positions; a one-hot row spends 0."},
              {""},
              {"Why: a weight is exp(score) over the sum of all, so the ratio of two weights is"},
              {"exp of the difference of their scores. Equal scores share evenly, whatever they"},
              {"are, and the rest is left with as little as the gain leaves it. The price is"},
              {"entropy: two even weights are one bit where one-hot has none, and the bits that"},
              {"the other positions add on top go to 0 as the gain grows. What comes out is the"},
              {"average of v_1 and v_3. To have both and keep them apart takes two heads."},
          }};
}

std::string size(const Matrix& M) { return fmt::format("{} x {}", M.rows(), M.cols()); }

void require_fitting(const Matrix& Q, const Matrix& K) {
  if (Q.rows() != K.rows() || Q.cols() != K.cols()) {
    throw std::invalid_argument(
        fmt::format("\"K\" is {}, but \"Q\" is {}; both are T x d_k, a row per token", size(K), size(Q)));
  }
  if (Q.rows() < kDesignedRow) {
    throw std::invalid_argument(
        fmt::format("\"Q\" is {}; row 4 takes at least 4 tokens, a row each", size(Q)));
  }
  if (!std::isfinite(
          attention::largest_score_bound(Q.middleRows(kDesignedRow - 1, 1), K.topRows(kDesignedRow)))) {
    throw std::invalid_argument("\"Q\" and \"K\": the scores of row 4 overflow a double");
  }
}

Finding at_least(Index position, double weight) {
  const bool ok = weight >= kLeast - kRounding;
  return {ok, ok ? fmt::format("position {} has {:.6f}, at least {}", position, weight, kLeast)
                 : fmt::format("position {} has {:.6f}, short of {} by {:.3g}", position, weight, kLeast,
                               kLeast - weight)};
}

Finding at_most(Index position, double weight) {
  const bool ok = weight <= kMost + kRounding;
  return {ok, ok ? fmt::format("position {} has {:.6f}, at most {}", position, weight, kMost)
                 : fmt::format("position {} has {:.6f}, above {} by {:.3g}", position, weight, kMost,
                               weight - kMost)};
}

Finding even(double first, double third) {
  const double apart = std::abs(first - third);
  const bool ok = apart <= kApart + kRounding;
  return {ok, ok ? fmt::format("positions 1 and 3 are {:.3g} apart, at most {}", apart, kApart)
                 : fmt::format("positions 1 and 3 are {:.6f} apart, more than {} by {:.3g}", apart, kApart,
                               apart - kApart)};
}

Judgement judge_two_positions(const Answer& answer) {
  const Matrix& Q = answer.at("Q");
  const Matrix& K = answer.at("K");
  require_fitting(Q, K);
  const Matrix row = row_4(Q, K);
  Judgement judgement{{at_least(1, row(0, 0)), at_most(2, row(0, 1)), at_least(3, row(0, 2)),
                       at_most(4, row(0, 3)), even(row(0, 0), row(0, 2))},
                      numbers(row)};
  const bool passed = std::all_of(judgement.findings.begin(), judgement.findings.end(),
                                  [](const Finding& finding) { return finding.ok; });
  if (passed)
    judgement.findings.push_back(
        {true, fmt::format("row 4 spends {:.6f} bits, a one-hot row 0", bits_of(row))});
  return judgement;
}

}  // namespace

Exercise two_positions() {
  const Matrix open = Matrix::Zero(kDesignedRow, kHeadWidth);
  return {"Two places at once",
          {
              "Design Q and K, T x d_k each with T at least 4 and any d_k, so that row 4 of",
              "causal attention looks about evenly at positions 1 and 3 and hardly at 2 and 4:",
              "weights 1 and 3 at least 0.4 each and within 0.05 of each other, weights 2 and 4",
              "at most 0.1 each. Scores are divided by sqrt(d_k), as always.",
              "",
              "And argue: what about softmax makes that possible, and how many bits does the",
              "row spend that a one-hot row does not?",
          },
          "mha weights --heads 1",
          {
              "Only query 4 and keys 1 to 4 count. The ratio of two weights is exp of the",
              "difference of their scores: which scores have to be equal, which far apart?",
              "Head 1 does it for a single position; look at what its keys are made of.",
          },
          {{"Q", Field::Shape::kMatrix, open}, {"K", Field::Shape::kMatrix, open}},
          solve_two_positions,
          judge_two_positions};
}

}  // namespace mha::lesson09
