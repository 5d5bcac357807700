#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/process.h"

namespace mha::test {
namespace {

using nlohmann::json;

TEST(Bench, CountsOnlyThePairsThatACausalRowMaySee) {
  const Outcome outcome =
      shell("mha bench --T 4 --d-model 8 --H 1,2 --repeat 2 --threads 1 --seed 3 --format json");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const json document = json::parse(outcome.out);
  EXPECT_EQ(document["command"], "bench");
  EXPECT_EQ(document["parameters"]["H"], json({1, 2}));
  EXPECT_EQ(document["parameters"]["seed"], 3);
  const json& runs = document["results"]["runs"];
  ASSERT_EQ(runs.size(), 2);
  for (std::size_t i = 0; i < 2; ++i) {
    const json& run = runs[i];
    const int H = static_cast<int>(i) + 1;
    EXPECT_EQ(run["T"], 4);
    EXPECT_EQ(run["d_model"], 8);
    EXPECT_EQ(run["H"], H);
    EXPECT_EQ(run["threads"], 1);
    // 10 pairs of 16, 2 FLOPs for each multiply-add, d_model channels over all heads.
    EXPECT_EQ(run["score_flops"], 160);
    EXPECT_EQ(run["exponentials"], 10 * H);
    EXPECT_GT(run["median_ms"].get<double>(), 0.0);
    // Q K' and A V.
    EXPECT_NEAR(run["gflops"].get<double>() * run["median_ms"].get<double>() * 1e6, 320.0, 1e-9);
  }
}

TEST(Bench, SaysWhatItCounted) {
  const Outcome outcome = shell("mha bench --T 6 --d-model 4 --H 2 --repeat 1");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_NE(outcome.out.find("score FLOPs"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("T(T+1)/2 pairs that a causal row may see, a multiply-add counting two"),
            std::string::npos)
      << outcome.out;
}

TEST(Bench, RefusesWhatCannotBeRun) {
  const auto refused = [](const std::string& options, const std::string& reason) {
    const Outcome outcome = shell("mha bench " + options);
    EXPECT_EQ(outcome.status, 2) << options;
    EXPECT_EQ(outcome.out, "") << options;
    EXPECT_NE(outcome.err.find(reason), std::string::npos) << outcome.err;
  };
  refused("--d-model 10 --H 3", "--H 3: 3 heads do not divide --d-model 10 evenly (remainder 1)");
  refused("--d-model 2 --H 1,8", "--H 8");
  refused("--T 4294967297", "--T 4294967297");
  refused("--T 9223372036854775807", "--T 9223372036854775807");
  refused("--repeat 0", "--repeat");
  refused("--threads 0", "--threads: '0' is not a whole number from 1 to 1024");
}

TEST(Threads, ChangeNoByteOfAnyCommand) {
  for (const std::string command : {"weights --T 700 --format json", "entropy --T 3000 --format json",
                                    "concat --T 2000 --full", "filterbank --T 2500 --wo all"}) {
    const Outcome one = shell("mha " + command + " --threads 1");
    const Outcome five = shell("mha " + command + " --threads 5");
    EXPECT_EQ(one.status, 0) << one.err;
    EXPECT_TRUE(one.out == five.out) << command;
  }
}

/// Work without an end, ended from outside: how long a machine takes for a second's worth does not matter.
const std::string kEndless =
    "timeout --foreground -s INT 3 mha bench --T 256 --d-model 64 --H 1 --repeat 1000000000 --threads 1";

TEST(Progress, IsShownOnATerminalWhenWorkLasts) {
  const Outcome outcome = on_terminal(kEndless);
  EXPECT_EQ(outcome.status, 124);
  EXPECT_NE(outcome.out.find(" % done, "), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find(" left"), std::string::npos) << outcome.out;
}

TEST(Progress, IsNotShownInAPipe) {
  const Outcome outcome = shell(kEndless);
  EXPECT_EQ(outcome.status, 124);
  EXPECT_EQ(outcome.out + outcome.err, "");
}

TEST(Progress, IsNotShownForShortWork) {
  const Outcome outcome = on_terminal("mha bench --T 8 --d-model 4 --H 1 --repeat 1");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.out.find('%'), std::string::npos) << outcome.out;
}

}  // namespace
}  // namespace mha::test
