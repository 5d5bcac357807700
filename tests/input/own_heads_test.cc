// A person's own heads: the same layer through every layout and format, and what must and must not change it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "commands/commands.h"
#include "tests/support/models.h"
#include "tests/support/reference.h"
#include "tests/support/refusal.h"
#include "tests/support/report_values.h"
#include "tests/support/zip_bytes.h"

namespace mha::test {
namespace {

using input::LayerOptions;

struct Form {
  std::string name;
  std::vector<NamedArray> arrays;
  std::optional<input::Layout> layout;
};

std::vector<Form> forms_of(const SmallLayer& layer) {
  std::vector<Form> forms = {{"lesson", lesson_arrays(layer), input::Layout::kLesson},
                             {"heads", head_arrays(layer), {}}};
  if (layer.kv_heads == layer.H) {
    forms.push_back({"torch", torch_arrays(layer), input::Layout::kTorch});
    forms.push_back({"gpt2", gpt2_arrays(layer), input::Layout::kGpt2});
  }
  return forms;
}

std::string json(const std::vector<NamedArray>& arrays) { return json_bytes(arrays); }
std::string npz(const std::vector<NamedArray>& arrays) { return npz_bytes(arrays); }
std::string npz_deflated(const std::vector<NamedArray>& arrays) { return npz_bytes(arrays, {}, true); }
std::string npz_fortran(const std::vector<NamedArray>& arrays) {
  return npz_bytes(arrays, {.dtype = "float64", .big_endian = true, .column_major = true});
}
std::string safetensors(const std::vector<NamedArray>& arrays) { return safetensors_bytes(arrays); }

struct Format {
  std::string name;
  std::string (*write)(const std::vector<NamedArray>&);
};
const std::vector<Format> kFormats = {{"json", json},
                                      {"npz", npz},
                                      {"npz deflated", npz_deflated},
                                      {"npz fortran", npz_fortran},
                                      {"safetensors", safetensors}};

Matrix matrix(const report::Report& report, const std::string& name) {
  return whole(member_as<report::LazyMatrix>(report.results, name));
}

std::vector<report::Object> head_results(const report::Report& report) {
  return elements<report::Object>(member(report.results, "heads"));
}

double apart(const Matrix& one, const Matrix& other) {
  if (one.rows() != other.rows() || one.cols() != other.cols()) return INFINITY;
  return (one - other).cwiseAbs().maxCoeff();
}

commands::HeadOptions heads_in(const LayerOptions& own) { return {.source = {.file = own}}; }

commands::ConcatOptions concat_in(const LayerOptions& own) { return {.source = {.file = own}}; }
commands::FilterbankOptions bank_in(const LayerOptions& own) { return {.source = {.file = own}}; }

/// Weights, entropies, ranks, Concat and O of a file, against the slow reference.
void expect_layer(const LayerOptions& own, const SmallLayer& layer, double tolerance) {
  const std::vector<Matrix> A = weights_of(layer);
  const auto weights = head_results(commands::weights(heads_in(own)));
  const auto bits = head_results(commands::entropy(heads_in(own)));
  commands::RankOptions rank_options;
  rank_options.heads = heads_in(own);
  const auto ranks = head_results(commands::rank(rank_options));
  ASSERT_EQ(weights.size(), A.size());
  for (std::size_t h = 0; h < A.size(); ++h) {
    EXPECT_LE(apart(whole(member_as<report::LazyMatrix>(weights[h], "A")), A[h]), tolerance)
        << "head " << h + 1;
    const auto& shown = member_as<report::Vector>(bits[h], "bits").column;
    EXPECT_LE(apart(whole(shown),
                    reference_entropies(layer.Q(static_cast<Index>(h)), layer.K(static_cast<Index>(h)))),
              10 * tolerance);
    EXPECT_EQ(member_as<report::Count>(ranks[h], "rank"),
              static_cast<report::Count>(std::min(layer.d_k, layer.X.rows())));
  }
  const report::Report concat = commands::concat(concat_in(own));
  EXPECT_LE(apart(matrix(concat, "O_concat"), concat_of(layer)), 10 * tolerance);
  EXPECT_LE(apart(matrix(concat, "O"), output_of(layer)), 100 * tolerance);
}

TEST(OwnHeads, AreTheSameThroughEveryLayoutAndFormat) {
  for (const auto& [H, kv_heads] : {std::pair<Index, Index>{3, 3}, {4, 2}, {4, 1}}) {
    const SmallLayer layer = small_layer(7, H, 3, kv_heads, 11);
    for (const Form& form : forms_of(layer)) {
      for (const Format& format : kFormats) {
        SCOPED_TRACE(form.name + ", " + format.name + ", " + std::to_string(H) + " heads, " +
                     std::to_string(kv_heads) + " K/V heads");
        const TemporaryFile file("layer", format.write(form.arrays));
        expect_layer(options_for(file, form.layout, !form.layout ? 0 : H), layer, 1e-12);
      }
    }
  }
}

TEST(OwnHeads, NarrowDtypesCostTheirPrecisionAndNoMore) {
  const SmallLayer layer = small_layer(6, 2, 3, 2, 12);
  for (const auto& [dtype, tolerance] :
       {std::pair<std::string, double>{"float32", 1e-12}, {"float16", 2e-2}, {"bfloat16", 2e-1}}) {
    SCOPED_TRACE(dtype);
    const TemporaryFile tensors("layer", safetensors_bytes(lesson_arrays(layer), dtype));
    const report::Report concat =
        commands::concat(concat_in(options_for(tensors, input::Layout::kLesson, 2)));
    EXPECT_LE(apart(matrix(concat, "O_concat"), concat_of(layer)), 10 * tolerance);
  }
}

TEST(OwnHeads, TheBankIdentityHoldsWithBiasesToo) {
  const SmallLayer layer = small_layer(9, 4, 2, 2, 13);
  for (const Form& form : forms_of(layer)) {
    const TemporaryFile file("layer.json", json_bytes(form.arrays));
    const report::Report bank =
        commands::filterbank(bank_in(options_for(file, form.layout, !form.layout ? 0 : 4)));
    const auto identities = elements<report::Object>(member(bank.results, "identities"));
    ASSERT_EQ(identities.size(), 1U);
    EXPECT_LE(member_as<double>(identities[0], "bank_err"), 1e-12) << form.name;
    if (!form.layout) continue;
    EXPECT_EQ(elements<report::Count>(member(identities[0], "rank_W_V_W_O")),
              (std::vector<report::Count>{2, 2, 2, 2}));
  }
}

TEST(OwnHeads, PermutingHeadsWithTheRowBlocksOfWOChangesNothing) {
  const SmallLayer layer = small_layer(8, 3, 2, 3, 14);
  std::vector<Index> order = {2, 0, 1};
  SmallLayer permuted = layer;
  for (Index h = 0; h < 3; ++h) {
    const Index from = order[static_cast<std::size_t>(h)] * 2;
    for (auto part : {&SmallLayer::W_Q, &SmallLayer::W_K, &SmallLayer::W_V, &SmallLayer::b_Q,
                      &SmallLayer::b_K, &SmallLayer::b_V}) {
      (permuted.*part).middleCols(h * 2, 2) = (layer.*part).middleCols(from, 2);
    }
    permuted.W_O.middleRows(h * 2, 2) = layer.W_O.middleRows(from, 2);
  }
  const auto output = [](const SmallLayer& of) {
    const TemporaryFile file("layer.json", json_bytes(lesson_arrays(of)));
    return matrix(commands::concat(concat_in(options_for(file, input::Layout::kLesson, 3))), "O");
  };
  EXPECT_LE(apart(output(permuted), output(layer)), 1e-12);
}

TEST(OwnHeads, TransposingASquareWOChangesTheOutputAndIsNeverGuessed) {
  const SmallLayer layer = small_layer(5, 2, 2, 2, 15);
  SmallLayer turned = layer;
  turned.W_O = Matrix(layer.W_O.transpose());
  const TemporaryFile file("layer.json", json_bytes(head_arrays(turned)));
  const Matrix O = matrix(commands::concat(concat_in(options_for(file))), "O");
  EXPECT_LE(apart(O, output_of(turned)), 1e-12);
  EXPECT_GT(apart(O, output_of(layer)), 1e-3);

  const TemporaryFile packed("packed.json", json_bytes(lesson_arrays(layer)));
  const std::string message = refusal<std::invalid_argument>([&] { input::read_layer(options_for(packed)); });
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "--layout", message);
}

TEST(OwnHeads, ABiasIsAddedOnceNotOncePerHead) {
  const SmallLayer layer = small_layer(5, 4, 2, 4, 16);
  SmallLayer plain = layer;
  plain.b_O.setZero();
  const auto output = [](const SmallLayer& of) {
    const TemporaryFile file("layer.json", json_bytes(torch_arrays(of)));
    return matrix(commands::concat(concat_in(options_for(file, input::Layout::kTorch, 4))), "O");
  };
  const Matrix added = output(layer) - output(plain);
  for (Index t = 0; t < 5; ++t) EXPECT_LE(apart(added.row(t), layer.b_O), 1e-12);
}

TEST(OwnHeads, ScaleAndMaskAreThoseAskedFor) {
  const SmallLayer layer = small_layer(6, 2, 4, 2, 17);
  const TemporaryFile file("layer.json", json_bytes(head_arrays(layer)));
  LayerOptions own = options_for(file);
  own.scale = 0.3;
  own.mask = input::Masking::kNone;
  const auto heads = head_results(commands::weights(heads_in(own)));
  for (Index h = 0; h < 2; ++h) {
    // S Q K' = (S √d_k Q) K'/√d_k
    const Matrix A = reference_weights(layer.Q(h) * (0.3 * 2.0), layer.K(h), attention::Mask::kNone);
    EXPECT_LE(apart(whole(member_as<report::LazyMatrix>(heads[static_cast<std::size_t>(h)], "A")), A), 1e-12);
  }
}

// A scale by the root of the model's width instead of the head's is a common mistake.
TEST(OwnHeads, ScoresAreScaledByTheHeadsWidthNotTheModels) {
  Matrix Q = Matrix::Zero(2, 16);
  Matrix K = Matrix::Zero(2, 16);
  Q.row(1).setOnes();
  K.row(0).setOnes();
  const TemporaryFile narrow("narrow.json",
                             json_bytes({stacked("Q", {Q, Q, Q, Q}), stacked("K", {K, K, K, K})}));
  for (const report::Object& head : head_results(commands::weights(heads_in(options_for(narrow))))) {
    EXPECT_NEAR(whole(member_as<report::LazyMatrix>(head, "A"))(1, 0), 0.982013790038, 1e-9);
  }
  Matrix wide_Q = Matrix::Zero(2, 64);
  Matrix wide_K = Matrix::Zero(2, 64);
  wide_Q.leftCols(16) = Q;
  wide_K.leftCols(16) = K;
  const TemporaryFile wide("wide.json", json_bytes({named("Q", wide_Q), named("K", wide_K)}));
  const auto heads = head_results(commands::weights(heads_in(options_for(wide))));
  EXPECT_NEAR(whole(member_as<report::LazyMatrix>(heads.at(0), "A"))(1, 0), 0.880797077978, 1e-9);
}

TEST(OwnHeads, LargeScoresKeepTheirSoftmax) {
  const TemporaryFile file("large.json", R"({"Q": [[0], [0], [1]], "K": [[1000], [999], [0]]})");
  const auto heads = head_results(commands::weights(heads_in(options_for(file))));
  const Matrix A = whole(member_as<report::LazyMatrix>(heads.at(0), "A"));
  EXPECT_NEAR(A(2, 0), 0.731058578630005, 1e-12);
  EXPECT_NEAR(A(2, 1), 0.268941421369995, 1e-12);
  EXPECT_EQ(A(2, 2), 0.0);
  const TemporaryFile beyond("beyond.json", R"({"Q": [[1e200]], "K": [[1e200]]})");
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "overflow",
                      refusal<std::invalid_argument>([&] { input::read_layer(options_for(beyond)); }));
  LayerOptions scaled = options_for(file);
  scaled.scale = 1e307;
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "--scale 1e+307",
                      refusal<std::invalid_argument>([&] { input::read_layer(scaled); }));
}

/// Before anything of it is printed, whatever of the layer is asked for.
TEST(OwnHeads, AnOutputBeyondADoubleIsRefusedByFileAndHead) {
  const std::string QK = R"({"Q": [[[1], [1]], [[1], [1]]], "K": [[[1], [1]], [[1], [1]]], )";
  for (const auto& [values, message] : std::vector<std::pair<std::string, std::string>>{
           {R"("V": [[[1], [1]], [[1], [1.797e308]]], "W_O": [[1], [1]]})",
            "the values V of head 2 may overflow"},
           {R"("V": [[[1], [1]], [[1], [8e307]]], "W_O": [[1], [10]]})",
            "Concat W_O may overflow a double at head 2's rows of W_O"},
           {R"("V": [[[9e307], [1]], [[1], [9e307]]], "W_O": [[1], [1]]})", "head 2's rows of W_O"},
           {R"("V": [[[1], [1]], [[1], [8e307]]], "W_O": [[1], [1]], "b_O": [1e308]})", "head 2's"}}) {
    SCOPED_TRACE(values);
    const TemporaryFile file("beyond.json", QK + values);
    const LayerOptions own = options_for(file);
    for (const auto& refused : {refusal<std::invalid_argument>([&] { commands::concat(concat_in(own)); }),
                                refusal<std::invalid_argument>([&] { commands::filterbank(bank_in(own)); }),
                                refusal<std::invalid_argument>([&] { commands::inspect(heads_in(own)); })}) {
      EXPECT_PRED_FORMAT2(testing::IsSubstring, "the file: ", refused);
      EXPECT_PRED_FORMAT2(testing::IsSubstring, message, refused);
    }
  }
}

TEST(OwnHeads, SharesOfTheOutputDoNotDependOnItsMagnitude) {
  for (const char* const e : {"e0", "e200", "e-200", "e307"}) {
    SCOPED_TRACE(e);
    const std::string V =
        fmt::format(R"("V": [[[3{0}], [3{0}]], [[-1{0}], [-1{0}]]], "W_O": [[1], [1]]}})", e);
    const TemporaryFile file("large.json",
                             R"({"Q": [[[1], [1]], [[1], [1]]], "K": [[[1], [1]], [[1], [1]]], )" + V);
    const auto heads = head_results(commands::inspect(heads_in(options_for(file))));
    EXPECT_NEAR(member_as<double>(heads.at(0), "output_share"), 0.75, 1e-12);
    EXPECT_NEAR(member_as<double>(heads.at(1), "output_share"), 0.25, 1e-12);
  }
}

TEST(OwnHeads, AHeadThatSeesNothingIsRefusedByNameAndPoisonsNoOther) {
  const std::string V = R"("V": [[[1], [2]], [[3], [4]]], "W_O": [[1, 2], [3, 4]])";
  const TemporaryFile file("masked.json", R"({"A": [[[1, 0], [0.5, 0.5]], [[0, 0], [0, 0]]], )" + V + "}");
  const std::string message = refusal<std::invalid_argument>([&] { input::read_layer(options_for(file)); });
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "head 2, row 1", message);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "sums to 0", message);

  // Scores that are all -Infinity, of head 2.
  const auto refused = [](const std::string& name, const std::string& bytes) {
    const TemporaryFile infinite(name, bytes);
    return refusal<std::invalid_argument>([&] { input::read_layer(options_for(infinite)); });
  };
  EXPECT_PRED_FORMAT2(
      testing::IsSubstring, "\"Q\", slice 2, row 1, column 1: ",
      refused("infinite.json",
              R"({"Q": [[[0], [0]], [[-Infinity], [-Infinity]]], "K": [[[1], [1]], [[1], [1]]]})"));
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "\"Q\", slice 2, row 1, column 1: -inf is not finite",
                      refused("infinite.safetensors", safetensors_bytes({{"Q", {2, 2, 1}, {0, 0, -inf, -inf}},
                                                                         {"K", {2, 2, 1}, {1, 1, 1, 1}}})));
}

TEST(OwnHeads, WeightsThatAreNoDistributionsAreRefusedWithTheirPlace) {
  const auto refused = [](const std::string& A) {
    const TemporaryFile file("weights.json", R"({"A": )" + A + "}");
    return refusal<std::invalid_argument>([&] { input::read_layer(options_for(file)); });
  };
  EXPECT_EQ(refused("[[1, 0], [0.5, 0.4]]"),
            "the file: A of head 1, row 2: sums to 0.9, not to 1 within 0.0001");
  EXPECT_EQ(refused("[[1, 0], [1.5, -0.5]]"),
            "the file: A of head 1, row 2: column 2 is -0.5, and no weight is below 0");
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "head 2, row 1",
                      refused("[[[1, 0], [0.5, 0.5]], [[0.9, 0], [0, 1]]]"));
  const TemporaryFile close("close.json", R"({"A": [[1, 0], [0.5, 0.50009]]})");
  EXPECT_NO_THROW(input::read_layer(options_for(close)));
}

TEST(OwnHeads, ARowThatSeesNoKeyHasNoWeights) {
  const auto file_of = [](const std::string& first_row) {
    return R"({"A": [)" + first_row + R"(, [0, 0], [0, 0], [1, 0], [0.5, 0.5]]})";
  };
  const auto read = [](const std::string& bytes) {
    const TemporaryFile file("blind.json", bytes);
    LayerOptions own = options_for(file);
    own.align = input::Align::kBottomRight;
    input::read_layer(own);
  };
  EXPECT_NO_THROW(read(file_of("[0, 0]")));
  EXPECT_EQ(refusal<std::invalid_argument>([&] { read(file_of("[1, 0]")); }),
            "the file: A of head 1, row 1: sums to 1, and sees no key: such a row is zero");
  EXPECT_EQ(refusal<std::invalid_argument>([&] { read(file_of("[0, 1e-9]")); }),
            "the file: A of head 1, row 1: sums to 1e-09, and sees no key: such a row is zero");
}

TEST(OwnHeads, WeightAboveTheDiagonalIsShownAndReported) {
  const TemporaryFile file("future.json", R"({"A": [[[1, 0], [0, 1]], [[0.75, 0.25], [0, 1]]]})");
  const report::Report report = commands::weights(heads_in(options_for(file)));
  EXPECT_EQ(whole(member_as<report::LazyMatrix>(head_results(report)[1], "A"))(0, 1), 0.25);
  EXPECT_EQ(
      printed_line(report.lines.back()),
      "weight above the diagonal, which a causal mask forbids; the largest: head 2, row 1, column 2: 0.25");
  const auto& heatmap = std::get<report::Heatmap>(report.figures.at(0).panels.at(1).content);
  EXPECT_EQ(heatmap.sees, nullptr) << "the figure hides it";
  // The ceiling stays that of the mask that was asked for.
  const report::Report bits = commands::entropy(heads_in(options_for(file)));
  EXPECT_EQ(whole(member_as<report::Vector>(bits.results, "log2_t").column), (Matrix{{0.0}, {1.0}}));
  // Without a causal mask there is nothing to report.
  LayerOptions own = options_for(file);
  own.mask = input::Masking::kNone;
  EXPECT_EQ(commands::weights(heads_in(own)).lines.size(), 2U);
}

TEST(OwnHeads, MoreKeysThanQueriesNeedAnAlignmentAndTheOutputNamesIt) {
  const TemporaryFile file("cache.json", R"({"Q": [[0], [0]], "K": [[0], [0], [0], [0], [0]]})");
  LayerOptions own = options_for(file);
  const std::string message = refusal<std::invalid_argument>([&] { input::read_layer(own); });
  for (const char* const part : {"T_q = 2", "T_k = 5", "--align top-left or bottom-right"}) {
    EXPECT_PRED_FORMAT2(testing::IsSubstring, part, message);
  }
  const auto weights = [&](input::Align align) {
    own.align = align;
    return commands::weights(heads_in(own));
  };
  const auto first = [](const report::Report& report) {
    return whole(member_as<report::LazyMatrix>(head_results(report)[0], "A"));
  };
  const report::Report bottom = weights(input::Align::kBottomRight);
  EXPECT_EQ(first(bottom), (Matrix{{0.25, 0.25, 0.25, 0.25, 0}, {0.2, 0.2, 0.2, 0.2, 0.2}}));
  EXPECT_EQ(printed_line(bottom.lines.back()),
            "causal mask aligned bottom-right: query t sees keys 1 to t + 3");
  const report::Report top = weights(input::Align::kTopLeft);
  EXPECT_EQ(first(top), (Matrix{{1, 0, 0, 0, 0}, {0.5, 0.5, 0, 0, 0}}));
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "top-left", printed_line(top.lines.back()));
}

TEST(OwnHeads, ASquareMaskIsTheSameHoweverItIsAligned) {
  const TemporaryFile file("square.json", R"({"Q": [[0], [0], [0]], "K": [[0], [0], [0]]})");
  for (const std::optional<input::Align> align :
       {std::optional<input::Align>(), {input::Align::kTopLeft}, {input::Align::kBottomRight}}) {
    LayerOptions own = options_for(file);
    own.align = align;
    const auto heads = head_results(commands::weights(heads_in(own)));
    EXPECT_EQ(whole(member_as<report::LazyMatrix>(heads.at(0), "A")),
              (Matrix{{1, 0, 0}, {0.5, 0.5, 0}, {1.0 / 3, 1.0 / 3, 1.0 / 3}}))
        << (align ? text::name_of(*align) : "unaligned");
  }
}

TEST(OwnHeads, QueriesWithoutAKeyHaveRowsOfZerosAndAreNamed) {
  const TemporaryFile file("few.json",
                           R"({"Q": [[0], [0], [0], [0], [0]], "K": [[0], [0]], "V": [[2], [4]]})");
  LayerOptions own = options_for(file);
  own.align = input::Align::kBottomRight;
  const report::Report report = commands::weights(heads_in(own));
  EXPECT_EQ(whole(member_as<report::LazyMatrix>(head_results(report)[0], "A")),
            (Matrix{{0, 0}, {0, 0}, {0, 0}, {1, 0}, {0.5, 0.5}}));
  EXPECT_EQ(printed_line(report.lines.back()), "no visible key: queries 1 to 3; such rows are zero");
  EXPECT_PRED_FORMAT2(testing::IsSubstring,
                      "Every row sums to 1, but those of queries 1 to 3, which see no key",
                      report.figures.at(0).description);
  EXPECT_EQ(matrix(commands::concat(concat_in(own)), "O_concat"), (Matrix{{0}, {0}, {0}, {2}, {3}}));
}

TEST(OwnHeads, FiguresNameAsManyHeadsAsThereAre) {
  struct Named {
    Index H;
    std::string title;
    std::string O;
    std::string W_Q;
  };
  for (const auto& [H, title, O, W_Q] : {Named{1, "One head through", "[O_1]", "[W_Q^1]"},
                                         {2, "Two heads through", "[O_1, O_2]", "[W_Q^1, W_Q^2]"},
                                         {3, "3 heads through", "[O_1, ..., O_3]", "[W_Q^1, ..., W_Q^3]"}}) {
    SCOPED_TRACE(H);
    // d_k = 2 as in the lesson, whose two heads are not meant all the same.
    const TemporaryFile file("layer.npz", npz_bytes(lesson_arrays(small_layer(4, H, 2, H, 5))));
    const LayerOptions own = options_for(file, input::Layout::kLesson, H);
    const report::Report concat = commands::concat(concat_in(own));
    EXPECT_TRUE(concat.figures.at(0).title.starts_with(title)) << concat.figures.at(0).title;
    EXPECT_EQ(concat.figures.at(0).panels.at(1).title, "Concat = " + O + " (T × H·d_v)");
    EXPECT_EQ(printed_line({concat.lines[0].at(0)}), "Concat = " + O + ":");
    EXPECT_EQ(concat.figures.at(0).description.find("head 2") != std::string::npos, H == 2);
    commands::ParamsOptions options;
    options.file = own;
    const report::Figure packed = commands::params(options).figures.at(0);
    EXPECT_EQ(packed.panels.at(0).title, "W_Q = " + W_Q + " (d_model × H·d_k)");
    EXPECT_EQ(packed.description.find("columns 3 and 4") != std::string::npos, H == 2);
    EXPECT_EQ(packed.description.find("head 2") != std::string::npos, H > 1);
  }
}

TEST(OwnHeads, BatchesAndLayersHaveToBePicked) {
  const Matrix one{{1, 0}, {1, 0}};
  const Matrix other{{1, 0}, {0, 1}};
  NamedArray batch = stacked("A", {one, other});
  batch.shape = {2, 1, 2, 2};
  const TemporaryFile two("batch.npy", npy_bytes(batch));
  LayerOptions own = options_for(two);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "--batch 1 to 2 picks one",
                      refusal<std::invalid_argument>([&] { input::read_layer(own); }));
  own.pick.batch = 2;
  EXPECT_EQ(whole(member_as<report::LazyMatrix>(head_results(commands::weights(heads_in(own)))[0], "A")),
            other);
  own.pick.batch = 3;
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "--batch 3",
                      refusal<std::invalid_argument>([&] { input::read_layer(own); }));

  NamedArray layers = stacked("A", {one, other, other, one});
  layers.shape = {2, 1, 2, 2, 2};
  const TemporaryFile deep("layers.npy", npy_bytes(layers));
  own = options_for(deep);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "--layer 1 to 2 picks one",
                      refusal<std::invalid_argument>([&] { input::read_layer(own); }));
  own.pick.layer = 2;
  const auto heads = head_results(commands::weights(heads_in(own)));
  ASSERT_EQ(heads.size(), 2U);
  EXPECT_EQ(whole(member_as<report::LazyMatrix>(heads[0], "A")), other);
  EXPECT_EQ(whole(member_as<report::LazyMatrix>(heads[1], "A")), one);
}

TEST(OwnHeads, AListOfHeadsMayHaveNamesAndMixItsForms) {
  const TemporaryFile file("list.json", R"({"heads": [
    {"name": "looks back", "Q": [[0], [1]], "K": [[3], [0]], "V": [[1], [2]]},
    {"A": [[1, 0], [0.5, 0.5]], "V": [[3], [4]]}], "W_O": [[1, 2], [3, 4]], "tokens": ["a", "b"]})");
  const attention::Layer model = input::read_layer(options_for(file));
  ASSERT_EQ(model.heads.size(), 2U);
  EXPECT_EQ(model.heads[0].name, "looks back");
  EXPECT_EQ(model.tokens, (std::vector<std::string>{"a", "b"}));
  const double p = 1.0 / (1.0 + std::exp(-3.0));
  const report::Report concat = commands::concat(concat_in(options_for(file)));
  EXPECT_LE(apart(matrix(concat, "O_concat"), Matrix{{1, 3}, {2 - p, 3.5}}), 1e-15);
  const report::Report weights = commands::weights(heads_in(options_for(file)));
  EXPECT_EQ(printed_line({weights.lines[0].at(0)}), "Head 1 — looks back:");
  EXPECT_EQ(printed_line({weights.lines[1].at(0)}), "Head 2:");
}

TEST(OwnHeads, QAndKWinOverAnABesideThem) {
  const TemporaryFile file("both.json",
                           R"({"heads": [{"A": [[1, 0], [0, 1]], "Q": [[0], [0]], "K": [[0], [0]]}]})");
  LayerOptions own = options_for(file);
  for (const auto& [as, weight] : {std::pair<std::optional<input::Role>, double>{input::Role::kA, 1.0},
                                   {input::Role::kQ, 0.5},
                                   {std::nullopt, 0.5}}) {
    own.as = as;
    const auto heads = head_results(commands::weights(heads_in(own)));
    EXPECT_EQ(whole(member_as<report::LazyMatrix>(heads[0], "A"))(1, 1), weight);
  }
}

TEST(OwnHeads, TokensThatAreNoLabelsAreNotDroppedInSilence) {
  for (const auto& [tokens, note] :
       {std::pair("[464, 5417]",
                  "the file: \"tokens\": are no strings, and not used as labels; --tokens gives some"),
        {R"(["a", "b", "c"])", "the file: \"tokens\": 3 labels for 2 key positions are not used"}}) {
    const TemporaryFile file("ids.json", fmt::format(R"({{"A": [[1, 0], [0, 1]], "tokens": {}}})", tokens));
    LayerOptions own = options_for(file);
    const attention::Layer layer = input::read_layer(own);
    ASSERT_EQ(layer.notes.size(), 1U);
    EXPECT_EQ(told(layer.notes.front()), note);
    EXPECT_TRUE(layer.tokens.empty());
    own.tokens = {"the", "sea"};
    EXPECT_EQ(input::read_layer(own).tokens, own.tokens);
    EXPECT_TRUE(input::read_layer(own).notes.empty());
  }
}

TEST(OwnHeads, WithoutValuesOrProjectionACommandSaysSo) {
  const TemporaryFile file("qk.json", R"({"Q": [[0]], "K": [[0]]})");
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "has no V of head 1", refusal<std::invalid_argument>([&] {
                        commands::concat(concat_in(options_for(file)));
                      }));
  const TemporaryFile values("qkv.json", R"({"Q": [[0]], "K": [[0]], "V": [[5]]})");
  const report::Report stops = commands::concat(concat_in(options_for(values)));
  EXPECT_EQ(names(stops.results), (std::vector<std::string>{"O_concat", "concat_shape", "unused"}));
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "has no W_O", refusal<std::invalid_argument>([&] {
                        commands::filterbank(bank_in(options_for(values)));
                      }));
  const TemporaryFile weights("a.json", R"({"A": [[1]]})");
  commands::RankOptions ranks;
  ranks.heads = heads_in(options_for(weights));
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "Q and K",
                      refusal<std::invalid_argument>([&] { commands::rank(ranks); }));
}

TEST(OwnHeads, ShapesThatDoNotFitAreRefusedNamingBoth) {
  const auto refused = [](const std::string& bytes, std::optional<input::Layout> layout = {}, Index H = 0) {
    const TemporaryFile file("wrong.json", bytes);
    return refusal<std::invalid_argument>([&] { input::read_layer(options_for(file, layout, H)); });
  };
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "width of a key", refused(R"({"Q": [[1, 2]], "K": [[1]]})"));
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "number of values",
                      refused(R"({"Q": [[1]], "K": [[1]], "V": [[1], [2]]})"));
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "height of W_O",
                      refused(R"({"Q": [[1]], "K": [[1]], "V": [[1]], "W_O": [[1], [1]]})"));
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "shared evenly",
                      refused(R"({"Q": [[[1]], [[1]], [[1]]], "K": [[[1]], [[1]]]})"));
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "\"W_K\"",
                      refused(R"({"X": [[1]], "W_Q": [[1]], "W_V": [[1]]})", input::Layout::kLesson, 1));
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "--x takes it",
                      refused(R"({"W_Q": [[1]], "W_K": [[1]], "W_V": [[1]]})", input::Layout::kLesson, 1));
  const std::string three_wide = R"({"X": [[1]], "W_Q": [[1, 1, 1, 1, 1, 1]], "W_K": )";
  EXPECT_EQ(refused(three_wide + R"([[1, 1, 1, 1]], "W_V": [[1]]})", input::Layout::kLesson, 2),
            "--H 2: keys 4 wide are no whole number of heads of width 3 (remainder 1)");
  EXPECT_EQ(refused(three_wide + R"([[1, 1, 1, 1, 1, 1]], "W_V": [[1, 1, 1]]})", input::Layout::kLesson, 2),
            "--H 2: values 3 wide cannot be shared evenly by 2 K/V heads (remainder 1)");
  EXPECT_EQ(refused(three_wide + R"([[1]], "W_V": [[1]]})", input::Layout::kLesson, 4),
            "--H 4: queries 6 wide cannot be shared evenly by 4 heads (remainder 2)");
  EXPECT_PRED_FORMAT2(
      testing::IsSubstring, "--H is needed",
      refused(R"({"X": [[1]], "W_Q": [[1]], "W_K": [[1]], "W_V": [[1]]})", input::Layout::kLesson));
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "the file holds \"q\"", refused(R"({"q": [[1]]})"));
}

}  // namespace
}  // namespace mha::test
