// What a file or an option says of how a layer attends: what is refused, and what padding is.
#include "input/layers/modifiers.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "commands/commands.h"
#include "tests/support/models.h"
#include "tests/support/refusal.h"
#include "tests/support/report_values.h"
#include "tests/support/zip_bytes.h"

namespace mha::test {
namespace {

using Set = std::vector<std::string>;

const double kNaN = std::nan("");

TEST(Modifiers, WhatCannotBeMeantIsRefused) {
  const std::string square = R"("Q": [[1, 0], [0, 1]], "K": [[1, 2], [3, 4]], "V": [[1], [2]])";
  const std::string cache = R"("Q": [[1, 0]], "K": [[1, 2], [3, 4]], "V": [[1], [2]])";
  const std::string weights = R"("A": [[1, 0], [0.5, 0.5]])";
  const std::string mixed = R"("heads": [{"A": [[1, 0], [0.5, 0.5]]}, {"Q": [[1], [1]], "K": [[1], [1]]}])";
  struct Refused {
    std::string json;
    Set set;
    std::string message;
  };
  for (const auto& [json, set, message] : std::vector<Refused>{
           {square + R"(, "norm_eps": 0.1)", {}, "the file: norm_eps needs q_norm or k_norm"},
           {square + R"(, "q_norm": [1, 2, 3])", {}, "it has to have 2 numbers, the width d_k of a head"},
           {square, {"rope_dims=2"}, "the file: rope_dims needs rope_base"},
           {square, {"rope_base=10", "rope_dims=4"}, "rope_dims 4: an even number up to the width 2"},
           {square, {"rope_base=0"}, "--set rope_base: '0' is not a number above 0, or none"},
           {square, {"kv_length=3"}, "kv_length 3: there are 2 keys"},
           {square, {"window=0"}, "--set window: '0' is not a whole number from 1 on"},
           {square, {"softcap=0"}, "--set softcap: '0' is not a number above 0"},
           {square, {"windw=3"}, "did you mean 'window'?"},
           {square + R"(, "mask": [[1, 0], [1, 1]])", {}, "holds only 0 and 1"},
           {square + R"(, "mask": [[0, 1, 2]])", {}, "is [1, 3]; with H = 1, T_q = 2 and T_k = 2"},
           {square + R"(, "mask": [1, 2])", {}, "it has to be [T_q, T_k]"},
           {square + R"(, "mask": [[[[0.5]]], [[[0.5]]]])", {}, "is [2, 1, 1, 1]: 2 sequences"},
           {square + R"(, "key_mask": [[1, 0], [1, 1], [1, 1]])", {}, "3 sequences, where the file is one"},
           {square + R"(, "key_mask": [0, 2])", {}, "2 is neither true nor false"},
           {square + R"(, "key_mask": [1, 1, 1])", {}, "is [3]; it has to be [2] or [batch, 2]"},
           {square + R"(, "sinks": [1, 2])", {}, "it has to have 1 numbers, one for each head"},
           {square + R"(, "bias_k": [1, 2])", {}, "bias_k and bias_v belong together"},
           {square + R"(, "bias_v": [1])", {}, "bias_k and bias_v belong together"},
           {cache, {"causal=false", "window=1"}, "window needs offset: 1 queries and 2 keys"},
           {cache, {"causal=false", "rope_base=10"}, "rope_base needs offset: 1 queries and 2 keys"},
           {weights, {"softcap=2"}, "softcap changes scores, and heads have their weights"},
           {weights, {"scale=2"}, "scale changes scores"},
           {weights, {"rope_base=10"}, "rope_base changes scores"},
           {mixed + R"(, "rope_base": 10)", {}, "rope_base changes scores"},
           {mixed + R"(, "k_norm": [1])", {}, "k_norm changes scores"}}) {
    SCOPED_TRACE(json);
    const TemporaryFile file("layer.json", "{" + json + "}");
    input::LayerOptions options = options_for(file);
    options.set = set;
    EXPECT_PRED_FORMAT2(testing::IsSubstring, message,
                        refusal<std::invalid_argument>([&] { input::read_layer(options); }));
  }
}

NamedArray key_mask(const std::vector<double>& tokens) {
  return {"key_mask", {static_cast<Index>(tokens.size())}, tokens};
}

commands::HeadOptions heads_in(const TemporaryFile& file) { return {.source = {.file = options_for(file)}}; }

/// On either side, of zeros or of no numbers at all: the means are those of the tokens alone.
TEST(Modifiers, PaddedRowsOfGivenWeightsAreLeftOut) {
  const Matrix A{{1.0, 0.0, 0.0}, {0.25, 0.75, 0.0}, {0.5, 0.25, 0.25}};
  const TemporaryFile alone("alone.npz", npz_bytes({named("A", A)}));
  const report::Report want = commands::inspect(heads_in(alone));
  const auto mean = [](const report::Report& report, const char* name) {
    const auto heads = elements<report::Object>(member(report.results, "heads"));
    return member_as<double>(heads.at(0), name);
  };
  for (const double held : {0.0, kNaN, std::numeric_limits<double>::infinity(), 7.0}) {
    for (const Index left : {Index{0}, Index{2}}) {
      SCOPED_TRACE(fmt::format("{} {}", held, left));
      Matrix padded = Matrix::Constant(5, 5, held);
      padded.middleRows(left, 3).setZero();
      padded.block(left, left, 3, 3) = A;
      std::vector<double> tokens(5, 0.0);
      std::fill_n(tokens.begin() + left, 3, 1.0);
      const TemporaryFile file("padded.npz", npz_bytes({named("A", padded), key_mask(tokens)}));
      const report::Report report = commands::inspect(heads_in(file));
      for (const char* const name : {"distance", "mean_bits", "mean_effective_positions"})
        EXPECT_NEAR(mean(report, name), mean(want, name), 1e-12) << name;
      EXPECT_EQ(member_as<double>(report.results, "ceiling_bits"),
                member_as<double>(want.results, "ceiling_bits"));
      EXPECT_EQ(printed_line(report.lines.back()),
                fmt::format("padding, left out of means: queries {}", left == 0 ? "4 to 5" : "1 to 2"));
      // Without the mask it is no distribution.
      const TemporaryFile bare("bare.npz", npz_bytes({named("A", padded)}));
      EXPECT_THROW(input::read_layer(options_for(bare)), std::invalid_argument);
    }
  }
}

TEST(Modifiers, WeightOfAMaskedKeyIsCalledThat) {
  const TemporaryFile file("A.json", R"({"A": [[1, 0], [0.25, 0.75]], "key_mask": [false, true]})");
  EXPECT_EQ(printed_line(commands::weights(heads_in(file)).lines.back()),
            "weight of a key that is masked; the largest: head 1, row 2, column 1: 0.25");
}

/// Queries of another sequence than the keys: which of them are padding, the keys' mask does not say.
TEST(Modifiers, PaddingOfAnotherSequenceHidesNoQuery) {
  const std::string json =
      R"({"Q": [[1], [2]], "K": [[0], [0], [0]], "V": [[9], [1], [3]], "key_mask": [false, true, true])";
  for (const auto& [more, size, ok] : std::vector<std::tuple<std::string, report::Count, bool>>{
           {R"(, "causal": false})", 2, false},
           {R"(, "causal": false, "offset": 0})", 1, true},
           {R"(, "offset": 1})", 2, false},
           {R"(, "offset": 3, "bias_k": [0], "bias_v": [3]})", 2, false}}) {
    SCOPED_TRACE(more);
    const TemporaryFile inputs("inputs.json", json + more);
    commands::CompareOptions options;
    options.file = options_for(inputs);
    const TemporaryFile expected("expected.npy", npy_bytes(named("", Matrix{{kNaN}, {2.0}})));
    options.expected.path = expected.path();
    const report::Report report = commands::compare(options);
    EXPECT_EQ(member_as<report::Count>(report.results, "size"), size);
    EXPECT_EQ(report.ok, ok);
  }
}

}  // namespace
}  // namespace mha::test
