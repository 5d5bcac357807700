// Checkpoints as people have them: one layer in every layout, in shards, with a configuration, through a
// pipe.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "input/layers/layouts.h"
#include "tests/support/array_bytes.h"
#include "tests/support/process.h"
#include "tests/support/temporary_directory.h"

namespace mha::test {
namespace {

namespace fs = std::filesystem;

const std::string kScript = MHA_SOURCE_DIR "/lessons/09-multi-head-attention/layouts.py";

/// The directory in which the script has written every layout.
class Layouts : public testing::Test {
 protected:
  void SetUp() override {
    const std::string python = python_with_numpy();
    if (python.empty()) GTEST_SKIP() << "no python3 with numpy";
    const Outcome written = shell(python + " '" + kScript + "' .", {}, folder.path());
    ASSERT_EQ(written.status, 0) << written.err;
    std::ifstream lines(folder.in("cases.txt"));
    for (std::string line; std::getline(lines, line);) cases.push_back(line);
    ASSERT_EQ(cases.size(), input::kLayoutNames.size() + 2);
  }
  [[nodiscard]] Outcome run(const std::string& command) const {
    return shell("mha " + command, {}, folder.path());
  }

  TemporaryDirectory folder;
  std::vector<std::string> cases;
};

TEST_F(Layouts, AgreeWithNumPy) {
  for (const std::string& one : cases) {
    SCOPED_TRACE(one);
    const Outcome outcome = run("compare --rtol 1e-12 " + one);
    EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
    EXPECT_EQ(outcome.err, "");
  }
}

TEST_F(Layouts, NamedWronglyAreRefused) {
  for (const char* const file : input::kLayoutNames) {
    for (const char* const layout : input::kLayoutNames) {
      if (std::string(file) == layout) continue;
      const Outcome outcome =
          run(fmt::format("compare --input {0}.npz --layout {1} --prefix layer. --H 4 --set rope_base=none "
                          "--expect O-{0}.npy",
                          file, layout));
      EXPECT_NE(outcome.status, 0) << file << " as " << layout << ":\n" << outcome.out;
    }
  }
}

TEST_F(Layouts, AreOfferedWhereNobodyNamedOne) {
  for (const char* const file : input::kLayoutNames) {
    const Outcome outcome = run(fmt::format("weights --input {}.npz", file));
    EXPECT_EQ(outcome.status, 2);
    EXPECT_NE(outcome.err.find(fmt::format("--layout {} fits with --prefix layer.", file)), std::string::npos)
        << outcome.err;
  }
}

TEST_F(Layouts, SayTheirMaskWhereItIsNone) {
  EXPECT_NE(run("weights --input bert.npz --layout bert --prefix layer. --H 4")
                .out.find("mask none, as bert has it"),
            std::string::npos);
  EXPECT_EQ(run("weights --input bart.npz --layout bart --prefix layer. --H 4").out.find("mask none"),
            std::string::npos);
  const std::string masked =
      run("weights --input bert.npz --layout bert --prefix layer. --H 4 --mask causal").out;
  EXPECT_EQ(masked.find("mask none"), std::string::npos);
}

TEST_F(Layouts, ThatRotateNeedToKnowHow) {
  const std::string llama = "weights --input llama.npz --layout llama --prefix layer. --H 4";
  EXPECT_NE(run(llama).err.find("--set rope_base=10000"), std::string::npos);
  EXPECT_EQ(run(llama + " --set rope_base=none").status, 0);
  const std::string t5 = "weights --input t5.npz --layout t5 --prefix layer. --H 4";
  EXPECT_EQ(run(t5).status, 0);
  EXPECT_NE(run("weights --input bart.npz --layout t5 --prefix layer. --H 4").err.find("relative positions"),
            std::string::npos);
}

/// The configuration beside a checkpoint counts, and the command line counts more.
TEST_F(Layouts, ReadAConfiguration) {
  const std::string layer = " --layout llama --prefix model.layers.0.self_attn. --x X.npy";
  const auto with_config = [&](const std::string& text, const std::string& more = "") {
    std::ofstream(folder.in("llama/config.json")) << text;
    return run("weights --input llama" + layer + more);
  };
  const std::string sizes = R"("num_attention_heads": 4, "num_key_value_heads": 2, "hidden_size": 24)";
  const auto config = [&](const std::string& more) {
    return "{" + sizes + ", \"rope_theta\": 10000.0" + more + "}";
  };
  EXPECT_EQ(with_config(config("")).status, 0);
  EXPECT_NE(with_config(config(R"(, "sliding_window": 3)")).out.find("window 3"), std::string::npos);
  EXPECT_EQ(with_config(config(R"(, "sliding_window": 3, "use_sliding_window": false)")).out.find("window 3"),
            std::string::npos);
  const std::string layers =
      R"(, "sliding_window": 3, "layer_types": ["full_attention", "sliding_attention"])";
  EXPECT_EQ(with_config(config(layers)).out.find("window 3"), std::string::npos)
      << "layer 0 looks at everything";
  EXPECT_NE(with_config(config(R"(, "attn_logit_softcapping": 50.0)")).out.find("softcap 50"),
            std::string::npos);
  EXPECT_NE(
      with_config(config(R"(, "attn_logit_softcapping": 50.0)"), " --set softcap=30").out.find("softcap 30"),
      std::string::npos);
  EXPECT_NE(
      with_config(config(R"(, "rope_scaling": {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0,
      "high_freq_factor": 4.0, "original_max_position_embeddings": 8192})"))
          .out.find("rope_scaling llama3, factor 8"),
      std::string::npos);
  for (const auto& [more, message] : std::vector<std::pair<std::string, std::string>>{
           {R"(, "rope_scaling": {"rope_type": "yarn", "factor": 8.0})", "only llama3 is supported"},
           {R"(, "rope_scaling": {"rope_type": "llama3", "factor": -1})", "factor: a number above 0"},
           {R"(, "model_type": "bloom")", "model_type \"bloom\": its attention has"},
           {R"(, "model_type": "deepseek_v3")", "model_type \"deepseek_v3\": its attention has"},
           {R"(, "n_heads": 1e300, "num_attention_heads2": 1, "head_dim": 2.5)", "2.5 is not a whole number"},
           {R"(, "sliding_window": 3, "sliding_window_pattern": 6)", "does not say which"}}) {
    const Outcome outcome = with_config(config(more));
    EXPECT_EQ(outcome.status, 2) << more;
    EXPECT_NE(outcome.err.find(message), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("config.json"), std::string::npos) << outcome.err;
  }
  EXPECT_EQ(with_config("{\"num_attention_heads\":").status, 2);
}

TEST_F(Layouts, AreFoundInTheFilesThatAnIndexNames) {
  const std::string layer = " --layout llama --prefix model.layers.0.self_attn. --x X.npy";
  const auto refused = [&](const std::string& path) {
    const Outcome outcome = run("weights --input " + path + layer);
    EXPECT_EQ(outcome.status, 2) << outcome.out;
    return outcome.err;
  };
  const std::string index = contents(folder.in("llama/model.safetensors.index.json"));
  fs::rename(folder.in("llama/model-00002-of-00002.safetensors"), folder.in("elsewhere.safetensors"));
  EXPECT_NE(refused("llama").find("its file \"model-00002-of-00002.safetensors\" is not there"),
            std::string::npos);
  for (const char* const file : {"../elsewhere.safetensors", "/etc/passwd", "..", ""}) {
    std::ofstream(folder.in("llama/model.safetensors.index.json"))
        << R"({"weight_map": {"model.layers.0.self_attn.q_proj.weight": ")" << file << "\"}}";
    EXPECT_NE(refused("llama").find("is not the name of a file beside it"), std::string::npos) << file;
  }
  for (const char* const text :
       {"{}", R"({"weight_map": {}})", R"({"weight_map": {"a": 3}})", R"({"weight_map": [1]})", "["}) {
    std::ofstream(folder.in("llama/model.safetensors.index.json")) << text;
    EXPECT_NE(refused("llama").find("--input 'llama'"), std::string::npos) << text;
  }
  // Without an index every file of the directory counts.
  fs::remove(folder.in("llama/model.safetensors.index.json"));
  fs::rename(folder.in("elsewhere.safetensors"), folder.in("llama/rest.safetensors"));
  EXPECT_EQ(run("compare --input llama" + layer + " --expect O-llama.npy").status, 0);
  fs::copy(folder.in("llama/rest.safetensors"), folder.in("llama/twice.safetensors"));
  EXPECT_NE(refused("llama").find("is there twice"), std::string::npos);
  fs::create_directory(folder.in("empty"));
  EXPECT_NE(refused("empty").find("is a directory without a .safetensors file"), std::string::npos);
}

TEST(Input, IsReadFromAPipe) {
  const std::string data = MHA_SOURCE_DIR "/lessons/09-multi-head-attention/own-heads/";
  for (const char* const file : {"four-heads.json", "qkv.npz"}) {
    const Outcome direct = shell("mha weights --input " + data + file);
    const Outcome piped = shell("cat " + data + file + " | mha weights --input -");
    EXPECT_EQ(piped.status, 0) << piped.err;
    EXPECT_EQ(piped.out, direct.out);
  }
  EXPECT_NE(shell("mha weights --input - < /dev/null").err.find("--input '-': is empty"), std::string::npos);
}

TEST(Input, CrossAttentionTakesKeysFromAnotherX) {
  const TemporaryDirectory folder;
  std::ofstream(folder.in("layer.json"))
      << R"({"W_Q": [[1]], "W_K": [[1]], "W_V": [[1]], "X": [[1], [2]], "X_K": [[0], [0], [3]]})";
  const Outcome outcome =
      shell("mha concat --input layer.json --layout lesson --H 1 --mask none", {}, folder.path());
  EXPECT_EQ(outcome.status, 2) << "it has no W_O";
  const Outcome weights = shell(
      "mha weights --input layer.json --layout lesson --H 1 --mask none --format json", {}, folder.path());
  EXPECT_EQ(weights.status, 0) << weights.err;
  EXPECT_NE(weights.out.find("\"T_k\": 3"), std::string::npos);
}

}  // namespace
}  // namespace mha::test
