// compare names the slip of an implementation that is wrong on purpose, and no other.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "commands/commands.h"
#include "tests/support/models.h"
#include "tests/support/random.h"
#include "tests/support/report_values.h"

namespace mha::test {
namespace {

/// Attention as written down by somebody, slow and obvious, with a place for each mistake.
struct Written {
  std::vector<Matrix> Q, K, V;  ///< of each query head
  Index offset = 0;             ///< query t sees keys up to t + offset
  std::optional<double> scale = {};
  bool softmax_over_queries = false;

  [[nodiscard]] std::vector<Matrix> weights() const {
    std::vector<Matrix> all;
    for (std::size_t h = 0; h < Q.size(); ++h) {
      Matrix S = Q[h] * K[h].transpose() * scale.value_or(1.0 / std::sqrt(static_cast<double>(Q[h].cols())));
      for (Index t = 0; t < S.rows(); ++t) {
        for (Index i = 0; i < S.cols(); ++i) {
          if (i > t + offset) S(t, i) = -std::numeric_limits<double>::infinity();
        }
      }
      Matrix A = S.array().exp();
      for (Index t = 0; !softmax_over_queries && t < A.rows(); ++t) A.row(t) /= A.row(t).sum();
      for (Index i = 0; softmax_over_queries && i < A.cols(); ++i) A.col(i) /= A.col(i).sum();
      all.push_back(A);
    }
    return all;
  }

  [[nodiscard]] Matrix concat() const {
    const std::vector<Matrix> A = weights();
    const Index d_v = V.front().cols();
    Matrix O_concat(A.front().rows(), d_v * static_cast<Index>(A.size()));
    for (std::size_t h = 0; h < A.size(); ++h)
      O_concat.middleCols(static_cast<Index>(h) * d_v, d_v) = A[h] * V[h];
    return O_concat;
  }
};

Written written(const SmallLayer& layer) {
  Written right;
  for (Index h = 0; h < layer.H; ++h) {
    right.Q.push_back(layer.Q(h));
    right.K.push_back(layer.K(h));
    right.V.push_back(layer.V(h));
  }
  return right;
}

Matrix output(const SmallLayer& layer, const Matrix& O_concat, double biases = 1.0) {
  return (O_concat * layer.W_O).rowwise() + biases * layer.b_O.row(0);
}

using Names = std::vector<std::string>;

/// What compare makes of that output of the layer.
Names slips_of(const SmallLayer& layer, const NamedArray& expected, bool bare = false) {
  const TemporaryFile inputs("inputs.json", json_bytes(bare ? head_arrays(layer) : lesson_arrays(layer)));
  const TemporaryFile file("expected.json", json_bytes({expected}));
  commands::CompareOptions options;
  options.file = bare ? options_for(inputs) : options_for(inputs, input::Layout::kLesson, layer.H);
  options.expected.path = file.path();
  const report::Report report = commands::compare(options);
  EXPECT_FALSE(report.ok);
  return elements<std::string>(member(report.results, "slips"));
}

/// Three shapes: T, H, d_k, K/V heads.
const std::vector<SmallLayer> kLayers = {small_layer(5, 2, 3, 2, 51), small_layer(8, 4, 2, 2, 52),
                                         small_layer(11, 3, 5, 3, 53)};

/// A slip in how the weights come about shows in A, in Concat and in O.
void expect_everywhere(const SmallLayer& layer, const Written& wrong, const std::string& slip) {
  SCOPED_TRACE(slip + ", T = " + std::to_string(layer.X.rows()));
  EXPECT_EQ(slips_of(layer, stacked("A", wrong.weights())), Names{slip});
  EXPECT_EQ(slips_of(layer, named("O_concat", wrong.concat())), Names{slip});
  EXPECT_EQ(slips_of(layer, named("O", output(layer, wrong.concat()))), Names{slip});
  EXPECT_EQ(slips_of(layer, named("O", output(layer, wrong.concat())), true), Names{slip});
}

TEST(Slips, OfTheScoresAreNamed) {
  for (const SmallLayer& layer : kLayers) {
    Written wrong = written(layer);
    wrong.offset = layer.X.rows();
    expect_everywhere(layer, wrong, "mask-missing");
    wrong = written(layer);
    wrong.scale = 1.0;
    expect_everywhere(layer, wrong, "scale-missing");
    wrong.scale = 1.0 / std::sqrt(static_cast<double>(layer.H * layer.d_k));
    expect_everywhere(layer, wrong, "scale-d-model");
    wrong.scale = 1.0 / static_cast<double>(layer.d_k);
    expect_everywhere(layer, wrong, "scale-twice");
    wrong = written(layer);
    wrong.softmax_over_queries = true;
    expect_everywhere(layer, wrong, "softmax-queries");
  }
}

TEST(Slips, ThatCoincideAreBothNamed) {
  const SmallLayer layer = small_layer(6, 3, 3, 3, 54);  // √(H·d_k) = d_k
  Written wrong = written(layer);
  wrong.scale = 1.0 / 3.0;
  EXPECT_EQ(slips_of(layer, stacked("A", wrong.weights())), (Names{"scale-d-model", "scale-twice"}));
}

TEST(Slips, AMaskWhereThereIsNoneAndAnotherAlignmentAreNamed) {
  std::mt19937 engine(55);
  for (const auto& [T_q, T_k] : {std::pair<Index, Index>{3, 7}, {5, 6}, {7, 4}}) {
    SCOPED_TRACE(T_q);
    Written other;
    for (int h = 0; h < 2; ++h) {
      other.Q.push_back(random_matrix(T_q, 3, engine));
      other.K.push_back(random_matrix(T_k, 3, engine));
    }
    const TemporaryFile inputs("inputs.json", json_bytes({stacked("Q", other.Q), stacked("K", other.K)}));
    commands::CompareOptions options;
    options.file = options_for(inputs);
    options.expected.as = commands::Target::kA;
    const auto slips = [&] {
      const TemporaryFile file("expected.json", json_bytes({stacked("A", other.weights())}));
      options.expected.path = file.path();
      return elements<std::string>(member(commands::compare(options).results, "slips"));
    };
    options.file.align = input::Align::kBottomRight;
    other.offset = 0;
    EXPECT_EQ(slips(), Names{"other-alignment"});
    if (T_k < T_q) continue;  // a row of zeros is no softmax there
    options.file.align = input::Align::kTopLeft;
    other.offset = T_k - T_q;
    EXPECT_EQ(slips(), Names{"other-alignment"});
    options.file.mask = input::Masking::kNone;
    options.file.align.reset();
    EXPECT_EQ(slips(), Names{"mask-added"});
  }
}

TEST(Slips, OfSharedKeysAndValuesAreNamed) {
  for (const SmallLayer& layer :
       {small_layer(5, 4, 2, 2, 61), small_layer(7, 6, 2, 3, 62), small_layer(6, 6, 3, 2, 63)}) {
    Written wrong = written(layer);
    for (Index h = 0; h < layer.H; ++h) {
      const Index source = h % layer.kv_heads * (layer.H / layer.kv_heads);
      wrong.K[static_cast<std::size_t>(h)] = layer.K(source);
      wrong.V[static_cast<std::size_t>(h)] = layer.V(source);
    }
    expect_everywhere(layer, wrong, "kv-heads-tiled");
  }
}

TEST(Slips, OfBiasesAreNamed) {
  for (const SmallLayer& layer : kLayers) {
    SCOPED_TRACE(layer.X.rows());
    const Matrix right = written(layer).concat();
    EXPECT_EQ(slips_of(layer, named("O", output(layer, right, 0.0))), Names{"bias-missing"});
    EXPECT_EQ(slips_of(layer, named("O", output(layer, right, static_cast<double>(layer.H)))),
              Names{"bias-per-head"});
    SmallLayer plain = layer;
    for (Matrix* const b : {&plain.b_Q, &plain.b_K, &plain.b_V}) b->setZero();
    EXPECT_EQ(slips_of(layer, named("O", output(layer, written(plain).concat()))), Names{"bias-missing"});
    EXPECT_EQ(slips_of(layer, named("O", output(layer, written(plain).concat(), 0.0))),
              Names{"bias-missing"});
    EXPECT_EQ(slips_of(layer, stacked("A", written(plain).weights())), Names{"bias-missing"});
  }
}

TEST(Slips, OfMergingTheHeadsAreNamed) {
  for (const SmallLayer& layer : kLayers) {
    SCOPED_TRACE(layer.X.rows());
    const Matrix right = written(layer).concat();
    const Index T = right.rows();
    const Index d = layer.d_k;
    EXPECT_EQ(slips_of(layer, named("O", (right * layer.W_O.transpose()).rowwise() + layer.b_O.row(0))),
              Names{"w_o-transposed"});
    Matrix interleaved(T, right.cols());
    Matrix view(T, right.cols());
    Index flat = 0;
    for (Index h = 0; h < layer.H; ++h) {
      for (Index t = 0; t < T; ++t) {
        for (Index c = 0; c < d; ++c) {
          interleaved(t, c * layer.H + h) = right(t, h * d + c);
          view(flat / right.cols(), flat % right.cols()) = right(t, h * d + c);  // [H, T, d] as it lies
          ++flat;
        }
      }
    }
    for (const auto& [wrong, slip] :
         {std::pair(interleaved, "heads-interleaved"), {view, "heads-not-transposed"}}) {
      EXPECT_EQ(slips_of(layer, named("O_concat", wrong)), Names{slip});
      EXPECT_EQ(slips_of(layer, named("O", output(layer, wrong))), Names{slip});
    }
  }
}

TEST(Slips, HeadsInAnotherOrderAreNamed) {
  for (const auto& [layer, order] :
       {std::pair<SmallLayer, std::vector<Index>>{small_layer(5, 3, 2, 3, 71), {2, 0, 1}},
        {small_layer(7, 5, 2, 5, 72), {4, 1, 0, 3, 2}},
        {small_layer(6, 8, 2, 8, 73), {7, 6, 5, 4, 3, 2, 1, 0}}}) {
    SCOPED_TRACE(layer.H);
    const Written right = written(layer);
    Written wrong;
    for (const Index h : order) {
      wrong.Q.push_back(right.Q[static_cast<std::size_t>(h)]);
      wrong.K.push_back(right.K[static_cast<std::size_t>(h)]);
      wrong.V.push_back(right.V[static_cast<std::size_t>(h)]);
    }
    expect_everywhere(layer, wrong, "heads-reordered");
  }
}

TEST(Slips, NoneIsNamedForAnErrorOfAnotherKind) {
  const SmallLayer layer = small_layer(6, 3, 2, 3, 74);
  Matrix O = output(layer, written(layer).concat());
  O(3, 2) += 0.25;
  EXPECT_EQ(slips_of(layer, named("O", O)), Names{});
  EXPECT_EQ(slips_of(layer, named("O", Matrix::Zero(6, 6))), Names{});
}

}  // namespace
}  // namespace mha::test
