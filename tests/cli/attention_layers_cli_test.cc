// Attention as models have it: layers that NumPy writes and computes, compared at the command line.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/process.h"
#include "tests/support/temporary_directory.h"

namespace mha::test {
namespace {

/// Has attention_layers.py write layers, and compares each at its dtype's precision. A padded query does not
/// count; where no other is left, there is nothing to compare.
void expect_agreement(const std::string& layers, std::size_t count) {
  const std::string python = python_with_numpy();
  if (python.empty()) GTEST_SKIP() << "no python3 with numpy";
  const TemporaryDirectory folder;
  const Outcome written =
      shell(python + " '" MHA_SOURCE_DIR "/tests/cli/attention_layers.py' " + layers, {}, folder.path());
  ASSERT_EQ(written.status, 0) << written.err;
  const auto cases = nlohmann::json::parse(contents(folder.in("cases.json")));
  ASSERT_EQ(cases.size(), count);
  for (const auto& one : cases) {
    const std::string compare =
        "mha compare --threads 1 --format json " + one["arguments"].get<std::string>();
    SCOPED_TRACE(compare);
    const Outcome outcome = shell(compare, {}, folder.path());
    if (one["size"] == 0) {
      EXPECT_EQ(outcome.status, 2);
      EXPECT_PRED_FORMAT2(testing::IsSubstring, "every query is padding", outcome.err);
      continue;
    }
    ASSERT_EQ(outcome.status, 0) << outcome.out << outcome.err;
    EXPECT_EQ(nlohmann::json::parse(outcome.out)["results"]["size"], one["size"]);
  }
}

/// In float32 and float16; [B, H, T, d] and [B, T, H·d]; with masks of each rank, softcaps, past keys,
/// external caches, windows, shared K/V heads, and rows that see nothing.
TEST(AttentionLayersCli, TheStandardOperatorsVectorsAgree) { expect_agreement("operator", 128); }

/// Masks, offsets, windows, caches, padding, softcaps, sinks, bias keys, rotary positions and norms, from
/// every format, told by the file or by options, in all dtypes: equal, none ignored.
TEST(AttentionLayersCli, RandomLayersAgree) { expect_agreement("random 300", 300); }

}  // namespace
}  // namespace mha::test
