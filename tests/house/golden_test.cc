#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <set>

#include "cli/command_table.h"
#include "tests/support/process.h"
#include "tests/support/transcript.h"

namespace mha::test {
namespace {

bool set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

class Golden : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(Golden, IsWhatTheProgramPrints) {
  const Transcript golden = read_transcript(GetParam());
  const Transcript actual = record(golden.command);
  const std::string told = disagreement(golden, actual);
  if (set("MHA_REWRITE_GOLDENS")) {
    ASSERT_FALSE(set("CI")) << "goldens are rewritten by hand and read, never in CI";
    // One that agrees stays as it is: JSON's last digits are another machine's, not a change.
    if (!told.empty()) write_transcript(GetParam(), actual);
    return;
  }
  if (!told.empty()) ADD_FAILURE() << GetParam().string() << "\n$ " << golden.command << "\n" << told;
}

std::string golden_name(const testing::TestParamInfo<std::filesystem::path>& info) {
  std::string name = info.param.lexically_relative(MHA_SOURCE_DIR "/golden").replace_extension().string();
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Transcripts, Golden, testing::ValuesIn(golden_files()), golden_name);

TEST(GoldenFiles, ShowEveryCommandItsDefaultsItsJsonAndItsHelp) {
  std::set<std::string> recorded;
  for (const auto& file : golden_files()) recorded.insert(read_transcript(file).command);
  for (const commands::Command* command : cli::command_table()) {
    for (const std::string& options :
         {std::string(), std::string(" --format json"), std::string(" --help")}) {
      if (command->name == std::string("bench") && options != " --help")
        continue;  // a measurement is never the same twice
      const std::string line = std::string("mha ") + command->name + options;
      EXPECT_TRUE(recorded.count(line) == 1) << "no golden begins with `$ " << line << "`";
    }
  }
}

TEST(GoldenFiles, AreAllThere) {
  if (!std::filesystem::exists(MHA_SOURCE_DIR "/.git"))
    GTEST_SKIP() << "not a checkout: nobody knows which there were";
  // Git refuses a tree of another owner unless told otherwise; the variable makes every tree one.
  const Outcome listed = shell("git -c safe.directory='*' -C '" MHA_SOURCE_DIR "' ls-files --deleted golden",
                               {{"GIT_TEST_ASSUME_DIFFERENT_OWNER", "1"}});
  EXPECT_EQ(listed.status, 0) << listed.err;
  EXPECT_EQ(listed.out, "") << "goldens that git knows and nobody finds";
}

TEST(Disagreement, IsEmptyForTheSameBytes) {
  EXPECT_EQ(disagreement({"mha rank", "1 2 2 0\n"}, {"mha rank", "1 2 2 0\n"}), "");
}

TEST(Disagreement, ShowsADiffAndTheLargestDifferenceWithItsPlace) {
  const std::string told = disagreement({"", "a 0.25 0.5\nb 1.000000\n"}, {"", "a 0.25 0.625\nb 1.000001\n"});
  EXPECT_NE(told.find("-a 0.25 0.5\n-b 1.000000\n+a 0.25 0.625\n+b 1.000001\n"), std::string::npos) << told;
  EXPECT_NE(told.find("largest |Δ| = 0.125 at line 2, number 2: golden 0.5, actual 0.625"), std::string::npos)
      << told;
}

TEST(Disagreement, SeesTextThatDiffersByABlankOnly) {
  const std::string told = disagreement({"", "a  b\n"}, {"", "a b\n"});
  EXPECT_NE(told.find("more than numbers differs"), std::string::npos) << told;
}

TEST(Disagreement, SeesAGoldenThatHasOnlyItsCommand) { EXPECT_NE(disagreement({"", ""}, {"", "x\n"}), ""); }

TEST(Disagreement, ForgivesJsonItsLastDigitsOnly) {
  const Transcript golden{"", "{\"A\": [0.25, 1e6], \"name\": \"self\"}\n"};
  EXPECT_EQ(disagreement(golden, {"", "{\"A\": [0.2500000000001, 1000000.0000001], \"name\": \"self\"}\n"}),
            "");
  EXPECT_NE(disagreement(golden, {"", "{\"A\": [0.25000000001, 1e6], \"name\": \"self\"}\n"}), "");
  EXPECT_NE(disagreement(golden, {"", "{\"A\": [0.25], \"name\": \"self\"}\n"}), "");
  EXPECT_NE(disagreement(golden, {"", "{\"A\": [0.25, 1e6], \"name\": \"Self\"}\n"}), "");
  EXPECT_NE(disagreement(golden, {"", "{\"name\": \"self\", \"A\": [0.25, 1e6]}\n"}), "");
  EXPECT_NE(disagreement(golden, {"", "{\"A\": [0.25, 1e6], \"name\": \"self\"}\n? 1\n"}), "");
  const Transcript failed{"", "{\"A\": 0.25}\n? 1\n"};
  EXPECT_EQ(disagreement(failed, {"", "{\"A\": 0.2500000000001}\n? 1\n"}), "");
  EXPECT_NE(disagreement(failed, {"", "{\"A\": 0.2500000000001}\n? 2\n"}), "");
}

TEST(Disagreement, ForgivesTheDigitsThatAGoldenCuts) {
  const Transcript golden{"", "Δ = 0.031… at row 2\nno digit before …\n"};
  EXPECT_EQ(disagreement(golden, {"", "Δ = 0.0312500001 at row 2\nno digit before …\n"}), "");
  EXPECT_EQ(disagreement(golden, {"", "Δ = 0.031 at row 2\nno digit before …\n"}), "");
  EXPECT_NE(disagreement(golden, {"", "Δ = 0.0322500001 at row 2\nno digit before …\n"}), "");
  EXPECT_NE(disagreement(golden, {"", "Δ = 0.0312500001 at row 3\nno digit before …\n"}), "");
  EXPECT_NE(disagreement(golden, {"", "Δ = 0.0312500001 at row 2\nno digit before 5\n"}), "");
  EXPECT_NE(disagreement(golden, {"", "Δ = 0.0312500001 at row 2\nno digit before …\nmore\n"}), "");
  EXPECT_NE(disagreement(golden, {"", "Δ = 0.0312500001 at row 2\n"}), "");
}

TEST(Record, WritesDownStandardErrorAndStatus) {
  EXPECT_EQ(record("echo out; echo 'first\nsecond' >&2; exit 3").body, "out\n! first\n! second\n? 3\n");
}

}  // namespace
}  // namespace mha::test
