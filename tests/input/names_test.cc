// Nothing that a file holds is passed over in silence: read, harmless, refused by name, or listed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "commands/commands.h"
#include "input/layers/read_layer.h"
#include "tests/support/models.h"
#include "tests/support/random.h"
#include "tests/support/refusal.h"
#include "tests/support/report_values.h"
#include "tests/support/zip_bytes.h"

namespace mha::test {
namespace {

using input::LayerOptions;

const NamedArray kStray{"", {2, 3}, {1, 2, 3, 4, 5, 6}};

NamedArray stray(const std::string& name) {
  NamedArray array = kStray;
  array.name = name;
  return array;
}

/// The layer's file with one array more.
attention::Layer read_with(const std::vector<NamedArray>& arrays, const NamedArray& more,
                           std::optional<input::Layout> layout = {}) {
  std::vector<NamedArray> all = arrays;
  all.push_back(more);
  const TemporaryFile file("layer", npz_bytes(all));
  return input::read_layer(options_for(file, layout, layout ? 2 : 0));
}

TEST(Names, WhatChangesAttentionIsRefusedByName) {
  const SmallLayer layer = small_layer(4, 2, 2, 2, 81);
  for (const char* const name :
       {"attn_mask", "M", "key_padding_mask", "attention_mask", "relative_attention_bias.weight", "rel_pos_h",
        "alibi_slopes", "q_norm.weight", "k_layernorm.weight", "q_proj.lora_A.weight", "rotary_emb.inv_freq",
        "logit_scale", "attn_logit_softcapping", "past_key", "q_proj.qweight", "bias"}) {
    SCOPED_TRACE(name);
    for (const auto& [arrays, layout] : {std::pair(head_arrays(layer), std::optional<input::Layout>()),
                                         {torch_arrays(layer), input::Layout::kTorch}}) {
      EXPECT_PRED_FORMAT2(testing::IsSubstring, fmt::format("the file: \"{}\": by its name ", name),
                          refusal<std::invalid_argument>([&] { read_with(arrays, stray(name), layout); }));
    }
    // Weights that are given are what came of it.
    const attention::Layer given = read_with({stacked("A", weights_of(layer))}, stray(name));
    EXPECT_EQ(given.unused, std::vector<std::string>{name});
  }
}

TEST(Names, ALetterInTheWrongCaseIsRefused) {
  const SmallLayer layer = small_layer(4, 2, 2, 2, 82);
  for (const char* const name : {"V", "W_O", "b_O"}) {
    std::vector<NamedArray> arrays = head_arrays(layer);
    const auto found = std::find_if(arrays.begin(), arrays.end(),
                                    [&](const NamedArray& array) { return array.name == name; });
    std::string wrong = name;
    wrong.back() = static_cast<char>(std::tolower(wrong.back()));
    found->name = wrong;
    const TemporaryFile file("layer", npz_bytes(arrays));
    EXPECT_EQ(refusal<std::invalid_argument>([&] { input::read_layer(options_for(file)); }),
              fmt::format("the file: \"{}\": is not read; did you mean \"{}\"?", wrong, name));
  }
  // Beside the right one it is another array.
  EXPECT_EQ(read_with(head_arrays(layer), stray("v")).unused, std::vector<std::string>{"v"});
}

TEST(Names, TheRestIsListedInOneNote) {
  const SmallLayer layer = small_layer(4, 2, 2, 2, 83);
  const attention::Layer one = read_with(head_arrays(layer), stray("tokns"));
  EXPECT_EQ(one.unused, std::vector<std::string>{"tokns"});
  ASSERT_EQ(one.notes.size(), 1U);
  EXPECT_EQ(told(one.notes[0]), "the file: not read: \"tokns\" (did you mean 'tokens'?)");
  std::vector<NamedArray> arrays = head_arrays(layer);
  for (int i = 1; i < 11; ++i) arrays.push_back(stray(fmt::format("other {}", i)));
  const attention::Layer many = read_with(arrays, stray("last"));
  EXPECT_EQ(many.unused.size(), 11U);
  EXPECT_EQ(
      told(many.notes.at(0)),
      R"(the file: not read: "other 1", "other 2", "other 3", "other 4", "other 5", "other 6", "other 7", )"
      R"("other 8" and 3 more)");
}

TEST(Names, AnswersAndWhatLayoutsCarryAreHarmless) {
  const SmallLayer layer = small_layer(4, 2, 2, 2, 84);
  for (const char* const name : {"O", "O_concat", "A"}) {
    EXPECT_TRUE(read_with(head_arrays(layer), stray(name)).unused.empty()) << name;
    EXPECT_TRUE(read_with(torch_arrays(layer), stray(name), input::Layout::kTorch).unused.empty()) << name;
  }
  NamedArray causal{"bias", {1, 1, 2, 2}, {1, 0, 1, 1}};
  EXPECT_TRUE(read_with(gpt2_arrays(layer), causal, input::Layout::kGpt2).unused.empty());
  EXPECT_TRUE(read_with(gpt2_arrays(layer), stray("masked_bias"), input::Layout::kGpt2).unused.empty());
  EXPECT_THROW(read_with(torch_arrays(layer), causal, input::Layout::kTorch), std::invalid_argument);
  EXPECT_THROW(read_with(gpt2_arrays(layer), stray("bias"), input::Layout::kGpt2), std::invalid_argument);
}

TEST(Names, ArraysOutsideThePrefixAreNotLookedAt) {
  const SmallLayer layer = small_layer(4, 2, 2, 2, 85);
  std::vector<NamedArray> arrays = gpt2_arrays(layer, "h.5.attn.");
  arrays.push_back(stray("h.5.attn.other"));
  arrays.push_back(stray("h.4.attn.attn_mask"));
  const TemporaryFile file("layer", npz_bytes(arrays));
  LayerOptions options = options_for(file, input::Layout::kGpt2, 2);
  options.prefix = "h.5.attn.";
  EXPECT_EQ(input::read_layer(options).unused, std::vector<std::string>{"h.5.attn.other"});
}

TEST(Names, WhatNobodyNeedsBlocksNoFile) {
  const SmallLayer layer = small_layer(4, 2, 2, 2, 86);
  std::string tensors = safetensors_bytes(head_arrays(layer));
  std::vector<NamedArray> arrays = head_arrays(layer);
  NamedArray empty = stray("empty");
  empty.shape = {0, 3};
  empty.values.clear();
  arrays.push_back(empty);
  for (const std::string& bytes : {npz_bytes(arrays), safetensors_bytes(arrays)}) {
    const TemporaryFile file("layer", bytes);
    EXPECT_EQ(input::read_layer(options_for(file)).unused, std::vector<std::string>{"empty"});
  }
  arrays.back().name = "V";
  std::erase_if(arrays, [](const NamedArray& array) { return array.name == "V" && !array.values.empty(); });
  const TemporaryFile needed("layer", npz_bytes(arrays));
  EXPECT_EQ(refusal<std::invalid_argument>([&] { input::read_layer(options_for(needed)); }),
            "the file: \"V\": its shape is [0, 3]: it is empty");
}

TEST(Names, TheOnlyArrayIsWhatAsSays) {
  const SmallLayer layer = small_layer(4, 2, 2, 2, 87);
  const TemporaryFile alone("layer", npz_bytes({stacked("arr_0", weights_of(layer))}));
  LayerOptions options = options_for(alone);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "has neither A, nor Q and K",
                      refusal<std::invalid_argument>([&] { input::read_layer(options); }));
  options.as = input::Role::kA;
  EXPECT_EQ(input::read_layer(options).H(), 2);
  EXPECT_TRUE(input::read_layer(options).unused.empty());
  const TemporaryFile several("layer", npz_bytes({stacked("arr_0", weights_of(layer)), stray("arr_1")}));
  options = options_for(several);
  options.as = input::Role::kA;
  EXPECT_PRED_FORMAT2(testing::IsSubstring,
                      "--as A: ", refusal<std::invalid_argument>([&] { input::read_layer(options); }));
  options.as = input::Role::kV;
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "--as V: the file has several arrays",
                      refusal<std::invalid_argument>([&] { input::read_layer(options); }));
}

/// Random files, each the layer with one array added, renamed, resized or of another type.
TEST(Names, NoChangeOfAFileChangesANumberInSilence) {
  std::mt19937 engine(88);
  const SmallLayer layer = small_layer(5, 2, 3, 2, 88);
  double tolerance = 1e-10;
  const auto right = [&](const report::Report& report, const std::string& name, const Matrix& want) {
    const report::Value* const found = report::find(report.results, name);
    if (found == nullptr) return true;
    const Matrix is = whole(std::get<report::LazyMatrix>(found->data));
    return is.rows() == want.rows() && is.cols() == want.cols() &&
           (is - want).cwiseAbs().maxCoeff() <= tolerance;
  };
  const std::vector<std::string> names = {"Q",     "K",   "V",      "W_O",    "b_O",   "A",     "O",
                                          "v",     "w_o", "b_o",    "mask",   "scale", "W_Q",   "b_Q",
                                          "other", "V2",  "bias_k", "tokens", "X",     "heads", "k_norm"};
  int refused = 0;
  int noted = 0;
  for (int number = 0; number < 1000; ++number) {
    std::vector<NamedArray> arrays = head_arrays(layer);
    NamedArray& array =
        arrays[static_cast<std::size_t>(random_size(0, static_cast<Index>(arrays.size()) - 1, engine))];
    const std::string before = array.name;
    const std::string name =
        names[static_cast<std::size_t>(random_size(0, static_cast<Index>(names.size()) - 1, engine))];
    const Index kind = random_size(0, 3, engine);
    if (kind == 0) {
      NamedArray more = array;
      more.name = name;
      if (std::none_of(arrays.begin(), arrays.end(), [&](const NamedArray& one) { return one.name == name; }))
        arrays.push_back(more);
    } else if (kind == 1) {
      if (std::none_of(arrays.begin(), arrays.end(), [&](const NamedArray& one) { return one.name == name; }))
        array.name = name;
    } else if (kind == 2) {
      const auto axis =
          static_cast<std::size_t>(random_size(0, static_cast<Index>(array.shape.size()) - 1, engine));
      array.values.resize(array.values.size() / static_cast<std::size_t>(array.shape[axis]) *
                          static_cast<std::size_t>(array.shape[axis] - 1));
      --array.shape[axis];
    }
    const std::string bytes = kind == 3 ? safetensors_bytes(arrays, "float32") : npz_bytes(arrays);
    SCOPED_TRACE(fmt::format("{}: {} of {}, {}", number, kind, before, name));
    tolerance = kind == 3 ? 1e-5 : 1e-10;
    const TemporaryFile file("layer", bytes);
    try {
      const report::Report report = commands::concat({.source = {.file = options_for(file)}});
      if (!report.notes.empty()) ++noted;
      const bool same = right(report, "O_concat", concat_of(layer)) && right(report, "O", output_of(layer));
      EXPECT_TRUE(same || !report.notes.empty());
    } catch (const std::invalid_argument&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 100);
  EXPECT_GT(noted, 50);
}

}  // namespace
}  // namespace mha::test
