// compare: what agrees, what does not and where, and the slip that explains it.
#include "commands/commands.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/models.h"
#include "tests/support/reference.h"
#include "tests/support/refusal.h"
#include "tests/support/report_values.h"

namespace mha::test {
namespace {

/// A layer as a file has it, and what others made of it.
struct Comparison {
  const SmallLayer layer = small_layer(6, 2, 3, 2, 31);
  const TemporaryFile inputs{"inputs.json", json_bytes(head_arrays(layer))};
  commands::CompareOptions options = {};

  [[nodiscard]] report::Report with(const std::string& expected) const {
    const TemporaryFile file("expected", expected);
    commands::CompareOptions all = options;
    all.file.path = inputs.path();
    all.expected.path = file.path();
    return commands::compare(all);
  }
  [[nodiscard]] std::string refused(const std::string& expected) const {
    return refusal<std::invalid_argument>([&] { static_cast<void>(with(expected)); });
  }
};

std::string compared(const report::Report& report) {
  return member_as<std::string>(report.results, "compared");
}

TEST(Compare, AgreesWithWhatIsRightByName) {
  Comparison compare;
  const Matrix O_concat = concat_of(compare.layer);
  const std::vector<Matrix> A = weights_of(compare.layer);
  const NamedArray O = named("O", output_of(compare.layer));
  const NamedArray heads = stacked("O_concat", {O_concat.leftCols(3), O_concat.rightCols(3)});
  for (const auto& [file, what] : {std::pair<std::string, std::string>{npy_bytes(O), "O"},
                                   {json_bytes({O}), "O"},
                                   {json_bytes({O, named("O_concat", O_concat), stacked("A", A)}), "O"},
                                   {json_bytes({named("O_concat", O_concat)}), "Concat"},
                                   {json_bytes({heads}), "Concat"},
                                   {safetensors_bytes({stacked("A", A)}), "A"}}) {
    SCOPED_TRACE(what);
    const report::Report report = compare.with(file);
    EXPECT_TRUE(report.ok);
    EXPECT_EQ(compared(report), what);
    EXPECT_TRUE(member_as<bool>(report.results, "ok"));
    EXPECT_EQ(member_as<report::Count>(report.results, "mismatched"), 0U);
    EXPECT_LE(member_as<double>(report.results, "max_abs_diff"), 1e-12);
  }
}

/// Without a name an array is O here, whatever else it could be by its shape.
TEST(Compare, TakesAnArrayWithoutANameForTheOutputUnlessToldOtherwise) {
  Comparison compare;
  const std::string A = npy_bytes(stacked("", weights_of(compare.layer)));
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "; it has the shape of A, which --as A compares it with",
                      compare.refused(A));
  const std::string O_concat = npy_bytes(named("", concat_of(compare.layer)));
  EXPECT_FALSE(compare.with(O_concat).ok);
  compare.options.expected.as = commands::Target::kOConcat;
  EXPECT_TRUE(compare.with(O_concat).ok);
  compare.options.expected.as = commands::Target::kA;
  EXPECT_TRUE(compare.with(A).ok);
  EXPECT_PRED_FORMAT2(
      testing::IsSubstring, "--as A: ",
      compare.refused(json_bytes({named("O", Matrix::Zero(6, 6)), named("P", Matrix::Zero(6, 6))})));
}

TEST(Compare, OfBareQueriesKeysAndValuesIsConcat) {
  const SmallLayer layer = small_layer(4, 1, 4, 1, 33);  // T = H·d_v: no shape tells O, Concat and A apart
  std::vector<NamedArray> arrays = head_arrays(layer);
  std::erase_if(arrays, [](const NamedArray& array) { return array.name == "W_O" || array.name == "b_O"; });
  const TemporaryFile inputs("inputs.json", json_bytes(arrays));
  commands::CompareOptions options;
  options.file.path = inputs.path();
  const TemporaryFile right("expected.npy", npy_bytes(named("", concat_of(layer))));
  options.expected.path = right.path();
  EXPECT_TRUE(commands::compare(options).ok);
  const TemporaryFile weights("expected.npy", npy_bytes(named("", weights_of(layer).front())));
  options.expected.path = weights.path();
  const report::Report report = commands::compare(options);
  EXPECT_FALSE(report.ok);
  EXPECT_EQ(compared(report), "Concat");
  options.expected.as = commands::Target::kO;
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "has no W_O",
                      refusal<std::invalid_argument>([&] { commands::compare(options); }));
}

TEST(Compare, RefusesALayerWithoutItsOutputProjectionByName) {
  const SmallLayer layer = small_layer(4, 2, 2, 2, 34);
  std::vector<NamedArray> arrays = torch_arrays(layer);
  std::erase_if(arrays, [](const NamedArray& array) { return array.name.starts_with("out_proj"); });
  const TemporaryFile inputs("inputs.npz", json_bytes(arrays));
  const TemporaryFile expected("expected.npy", npy_bytes(named("", concat_of(layer))));
  commands::CompareOptions options;
  options.file = options_for(inputs, input::Layout::kTorch, 2);
  options.expected.path = expected.path();
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "\"out_proj.weight\": is not there, and O needs it",
                      refusal<std::invalid_argument>([&] { commands::compare(options); }));
}

TEST(Compare, FindsOneChangedWeightWithItsPlace) {
  Comparison compare;
  std::vector<Matrix> A = weights_of(compare.layer);
  const double right = A[1](4, 2);
  A[1](4, 2) += 0.001;
  const report::Report report = compare.with(json_bytes({stacked("A", A)}));
  EXPECT_FALSE(report.ok);
  EXPECT_NEAR(member_as<double>(report.results, "max_abs_diff"), 0.001, 1e-12);
  EXPECT_EQ(elements<report::Count>(member(report.results, "at")), (std::vector<report::Count>{2, 5, 3}));
  EXPECT_NEAR(member_as<double>(report.results, "computed"), right, 1e-12);
  EXPECT_EQ(member_as<report::Count>(report.results, "mismatched"), 1U);
  EXPECT_EQ(member_as<report::Count>(report.results, "size"), 72U);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "at head 2, row 5, column 3", printed_line(report.lines.at(1)));
  EXPECT_TRUE(elements<std::string>(member(report.results, "slips")).empty());
  compare.options.tolerance = 0.01;
  EXPECT_TRUE(compare.with(json_bytes({stacked("A", A)})).ok);
}

TEST(Compare, MeasuresAgainstTheSizeOfTheResult) {
  for (const double scale : {1e-150, 1e-6, 1.0, 1e6, 1e150}) {
    SCOPED_TRACE(scale);
    SmallLayer layer = small_layer(6, 2, 3, 2, 31);
    layer.W_O *= scale;
    layer.b_O *= scale;
    const TemporaryFile inputs("inputs.json", json_bytes(head_arrays(layer)));
    commands::CompareOptions options;
    options.file.path = inputs.path();
    const auto ok = [&](const Matrix& O) {
      const TemporaryFile expected("expected.npy", npy_bytes(named("", O)));
      options.expected.path = expected.path();
      return commands::compare(options).ok;
    };
    const Matrix O = output_of(layer);
    EXPECT_TRUE(ok(O));
    EXPECT_TRUE(ok(O * (1.0 + 1e-11)));
    EXPECT_FALSE(ok(O * (1.0 + 1e-7)));
    EXPECT_FALSE(ok(Matrix::Zero(6, 6))) << "an output of zeros";
    options.rtol = 1e-3;
    EXPECT_TRUE(ok(O * (1.0 + 1e-4)));
    EXPECT_FALSE(ok(Matrix::Zero(6, 6)));
    options.rtol.reset();
  }
}

TEST(Compare, ALoudRowHidesNoErrorInAQuietOne) {
  const TemporaryFile inputs(
      "inputs.json", R"({"Q": [[0], [0]], "K": [[0], [0]], "V": [[0.001, 0.002], [1000000, 2000000]]})");
  commands::CompareOptions options;
  options.file.path = inputs.path();
  for (const auto& [first, ok] : {std::pair("[0.001, 0.002]", true), {"[0.001, 0.0020001]", false}}) {
    const TemporaryFile expected("expected.json",
                                 fmt::format(R"({{"O": [{}, [500000.0005, 1000000.001]]}})", first));
    options.expected.path = expected.path();
    EXPECT_EQ(commands::compare(options).ok, ok);
  }
}

TEST(Compare, ToleratesWhatTheCoarserPrecisionRounds) {
  const SmallLayer layer = small_layer(6, 2, 3, 2, 31);
  const Matrix O = output_of(layer);
  for (const auto& [inputs_dtype, expected_dtype, rtol] : {std::tuple("float64", "float64", 1e-9),
                                                           {"float64", "float32", 1e-5},
                                                           {"float32", "float64", 1e-5},
                                                           {"float16", "float32", 4e-3},
                                                           {"float64", "bfloat16", 2e-2},
                                                           {"bfloat16", "float16", 2e-2}}) {
    SCOPED_TRACE(std::string(inputs_dtype) + ", " + expected_dtype);
    const TemporaryFile inputs("inputs", safetensors_bytes(head_arrays(layer), inputs_dtype));
    const TemporaryFile expected("expected", safetensors_bytes({named("O", O)}, expected_dtype));
    commands::CompareOptions options;
    options.file.path = inputs.path();
    options.expected.path = expected.path();
    const report::Report report = commands::compare(options);
    EXPECT_EQ(member_as<double>(report.results, "rtol"), rtol);
    EXPECT_EQ(member_as<double>(report.results, "atol"), 0.0);
    if (std::string(inputs_dtype) != "bfloat16" && std::string(inputs_dtype) != "float16") {
      EXPECT_TRUE(report.ok);
    }
  }
}

TEST(Compare, WhatIsNoNumberFails) {
  const Comparison compare;
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    Matrix O = output_of(compare.layer);
    O(2, 1) = bad;
    const report::Report report = compare.with(npy_bytes(named("", O)));
    EXPECT_FALSE(report.ok);
    EXPECT_EQ(member_as<report::Count>(report.results, "not_finite"), 1U);
    EXPECT_EQ(elements<report::Count>(member(report.results, "at")), (std::vector<report::Count>{3, 2}));
    EXPECT_EQ(member_as<report::Count>(report.results, "mismatched"), 1U);
  }
}

TEST(Compare, RefusesWhatIsNoneOfItsResults) {
  const Comparison compare;
  const std::string shapes = compare.refused(npy_bytes(named("", Matrix::Zero(5, 6))));
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "is [5, 6]", shapes);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "gives O [6, 6]", shapes);
  EXPECT_PRED_FORMAT2(
      testing::IsSubstring, "has no A, O or O_concat",
      compare.refused(json_bytes({named("P", Matrix::Zero(6, 6)), named("R", Matrix::Zero(6, 6))})));
}

TEST(Compare, WithABatchPickedAnArrayOfOneSequenceIsThatOne) {
  const SmallLayer one = small_layer(4, 2, 3, 2, 41);
  const SmallLayer other = small_layer(4, 2, 3, 2, 42);
  std::vector<NamedArray> arrays;
  for (const char* const name : {"Q", "K", "V"}) {
    const auto part = [&](const SmallLayer& layer) {
      const std::vector<NamedArray> heads = head_arrays(layer);
      return *std::find_if(heads.begin(), heads.end(),
                           [&](const NamedArray& array) { return array.name == name; });
    };
    NamedArray both = part(one);
    const NamedArray second = part(other);
    both.values.insert(both.values.end(), second.values.begin(), second.values.end());
    both.shape.insert(both.shape.begin(), 2);
    arrays.push_back(both);
  }
  const TemporaryFile inputs("inputs.json", json_bytes(arrays));
  commands::CompareOptions options;
  options.file.path = inputs.path();
  options.file.pick.batch = 2;
  const auto ok = [&](const NamedArray& array) {
    const TemporaryFile expected("expected.json", json_bytes({array}));
    options.expected.path = expected.path();
    return commands::compare(options).ok;
  };
  NamedArray A = stacked("A", weights_of(other));
  EXPECT_TRUE(ok(A));
  A.shape.insert(A.shape.begin(), 1);
  EXPECT_TRUE(ok(A));
  EXPECT_TRUE(ok(named("O_concat", concat_of(other))));
  NamedArray batch = named("O_concat", concat_of(one));
  const NamedArray second = named("", concat_of(other));
  batch.values.insert(batch.values.end(), second.values.begin(), second.values.end());
  batch.shape.insert(batch.shape.begin(), 2);
  EXPECT_TRUE(ok(batch));
  options.file.pick.batch = 1;
  EXPECT_FALSE(ok(named("O_concat", concat_of(other))));
  // Of inputs that are one sequence, --batch would not help.
  std::vector<NamedArray> alone = head_arrays(other);
  const TemporaryFile single("inputs.json", json_bytes(alone));
  options.file = options_for(single);
  EXPECT_EQ(refusal<std::invalid_argument>([&] { ok(batch); }).find("--batch"), std::string::npos);
}

TEST(Compare, TakesTheAxesOfWhatIsExpectedAsTold) {
  Comparison compare;
  const Matrix O_concat = concat_of(compare.layer);
  NamedArray array = named("O_concat", O_concat);  // [T, H·d_v] is [T, H, d_v]
  array.shape = {1, 6, 2, 3};
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "; with --expect-axes bthd it fits",
                      compare.refused(json_bytes({array})));
  compare.options.expected.axes = {input::AxisOrder::kBthd};
  EXPECT_TRUE(compare.with(json_bytes({array})).ok);
  NamedArray O = named("O", output_of(compare.layer));
  O.shape = {6, 1, 6};
  compare.options.expected.axes = {};
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "; with --expect-axes tbd it fits",
                      compare.refused(json_bytes({O})));
  compare.options.expected.axes = {input::AxisOrder::kTbd};
  EXPECT_TRUE(compare.with(json_bytes({O})).ok);
}

}  // namespace
}  // namespace mha::test
