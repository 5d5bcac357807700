#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "attention/causal_attention.h"
#include "attention/multi_head.h"
#include "lessons/09-multi-head-attention/exercises/exercises.h"

namespace mha::lesson09 {
namespace {

constexpr int kCopies = 2;

double difference(const Matrix& a, const Matrix& b) { return (a - b).cwiseAbs().maxCoeff(); }

struct Differences {
  double to_replica = 0.0;                                    ///< largest, head h against head h + 4
  double to_other = std::numeric_limits<double>::infinity();  ///< smallest, heads 1 to 4 among themselves
  int distinct = 0;                                           ///< outputs that equal no earlier one
};

Differences differences() {
  const std::vector<Matrix> O = eight_outputs();
  Differences found;
  for (std::size_t h = 0; h < kHeads; ++h) {
    found.to_replica = std::max(found.to_replica, difference(O[h], O[h + kHeads]));
    for (std::size_t other = 0; other < h; ++other) {
      found.to_other = std::min(found.to_other, difference(O[h], O[other]));
    }
  }
  for (auto at = O.begin(); at != O.end(); ++at) {
    if (std::find(O.begin(), at, *at) == at) ++found.distinct;
  }
  return found;
}

/// ∂L/∂Q of one head by the chain rule, for L = ½ Σ O² and that head's `block` of W_O: from O back through
/// W_O, the values and the softmax to the scores Q Kᵀ/√d_k.
Matrix query_gradient(const attention::Head& head, const Matrix& block, const Matrix& O) {
  Matrix A(kTokens, kTokens);
  attention::attention_weights(head, 0, A);
  const Matrix dOh = O.lazyProduct(block.transpose());
  const Matrix dA = dOh.lazyProduct(head.V->transpose());
  const Eigen::VectorXd mean = (A.array() * dA.array()).rowwise().sum();
  const Matrix dS = A.array() * (dA.colwise() - mean).array();
  return dS.lazyProduct(*head.K) / std::sqrt(static_cast<double>(kHeadWidth));
}

Solution solve_replicated_heads() {
  const Differences found = differences();
  const double alike = gradient_gap(1.0);
  const double unlike = gradient_gap(2.0);
  return {{{"largest_difference", number(found.to_replica)}, {"distinct_outputs", number(found.distinct)}},
          {{"largest_difference", found.to_replica},
           {"smallest_difference_between_heads_1_to_4", found.to_other},
           {"distinct_outputs", found.distinct},
           {"gradient_gap_equal_blocks", alike},
           {"gradient_gap_unequal_blocks", unlike}},
          {
              {"All eight heads see the same one-hot V, so O_h = A_h V is A_h itself."},
              {""},
              {"largest difference, a head against its replica:", found.to_replica},
              {"smallest difference between two of heads 1 to 4:", report::Decimals{{found.to_other}, 6}},
              {"different outputs among eight heads:", found.distinct},
              {""},
              {"Why: the same Q, K and V give the same numbers. Heads 5 to 8 cost as much as"},
              {"heads 1 to 4 and add nothing: one head with the sum of both blocks does as much."},
              {""},
              {"Training does not part them by itself. For a squared loss, the gradients with"},
              {"respect to the queries of head 1 and of its replica differ by at most"},
              {" ", report::Decimals{{alike}, 6}, " when their blocks of W_O are equal"},
              {" ", report::Decimals{{unlike}, 6}, " when one block is twice the other"},
              {"Replicas in everything, W_O included, get equal gradients, take equal steps and"},
              {"stay equal for good. Hence weights start random: a small difference is enough"},
              {"to give each head a gradient of its own, as the unequal blocks show."},
          }};
}

Judgement judge_replicated_heads(const Answer& answer) {
  const Differences found = differences();
  const double largest = answer.at("largest_difference")(0, 0);
  const double distinct = answer.at("distinct_outputs")(0, 0);
  const bool same = std::abs(largest - found.to_replica) <= 1e-12;
  const bool counted = distinct == found.distinct;
  return {{{same, fmt::format("largest_difference: {} is {}", largest,
                              same          ? "right"
                              : largest < 0 ? "no size of a difference, which has no sign"
                                            : "not right; take one head and its replica")},
           {counted, fmt::format("distinct_outputs: {} is {}", distinct,
                                 counted ? "right" : "not right; which of the eight equals which?")}},
          {}};
}

}  // namespace

std::vector<Matrix> eight_outputs() {
  const Matrix V = Matrix::Identity(kTokens, kTokens);
  std::vector<Matrix> outputs;
  for (int copy = 0; copy < kCopies; ++copy) {
    for (int h = 1; h <= kHeads; ++h) {
      const attention::Head head = hand_set_head(h, kTokens, kGain);
      Matrix O(kTokens, kTokens);
      attention::head_output(*head.Q, *head.K, V, 0, O);
      outputs.push_back(std::move(O));
    }
  }
  return outputs;
}

double gradient_gap(double ratio) {
  attention::Head head = hand_set_head(1, kTokens, kGain);
  head.V = std::make_shared<const Matrix>(position_code(kTokens, 1.0, 0));
  const std::vector<attention::Head> heads(kCopies, head);
  const Matrix block = Matrix::Identity(kHeadWidth, kHeadWidth);
  Matrix W_O(kCopies * kHeadWidth, kHeadWidth);
  W_O << block, ratio * block;
  Matrix O_concat(kTokens, W_O.rows());
  Matrix O(kTokens, kHeadWidth);
  attention::concat(heads, 0, O_concat);
  attention::project(O_concat, W_O, O);
  return difference(query_gradient(heads[0], block, O), query_gradient(heads[1], ratio * block, O));
}

Exercise replicated_heads() {
  return {"Heads that repeat each other",
          {
              "Take eight heads at T = 6: heads 1 to 4 as the lesson sets them, and heads 5 to",
              "8 as copies of them. All see the same V = I, one-hot values. What is the largest",
              "difference between any entry of a head's output and of its copy's",
              "(largest_difference)? How many of the eight outputs are different ones",
              "(distinct_outputs)?",
              "",
              "And argue: what does this say of how heads should start out in training?",
          },
          "mha weights --heads 1,2,3,4,1,2,3,4",
          {
              "O_h = A_h V, and A_h is made of Q_h and K_h alone. Write down what a head and",
              "its copy have in common, and look for anything that they do not. Then think of",
              "one step of gradient descent: what could move them apart?",
          },
          {{"largest_difference", Field::Shape::kNumber, number(1.0)},
           {"distinct_outputs", Field::Shape::kNumber, number(8.0)}},
          solve_replicated_heads,
          judge_replicated_heads};
}

}  // namespace mha::lesson09
