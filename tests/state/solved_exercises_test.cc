// What is noted between runs.
#include "state/solved_exercises.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "tests/support/temporary_directory.h"

namespace mha::test {
namespace {

namespace fs = std::filesystem;

using Solved = std::set<int>;

class SolvedExercises : public testing::Test {
 protected:
  [[nodiscard]] fs::path file() const { return state::file(home_.path().c_str(), nullptr); }
  void hold(const std::string& content) const {
    fs::create_directories(file().parent_path());
    std::ofstream(file(), std::ios::binary) << content;
  }

  TemporaryDirectory home_;
};

TEST(ProgressFile, FollowsTheEnvironment) {
  EXPECT_EQ(state::file("/state", "/home/a"), "/state/mha/lesson-09");
  for (const char* const state : {static_cast<const char*>(nullptr), "", "relative"}) {
    EXPECT_EQ(state::file(state, "/home/a"), "/home/a/.local/state/mha/lesson-09");
    EXPECT_EQ(state::file(state, nullptr), "");
    EXPECT_EQ(state::file(state, ""), "");
  }
}

TEST_F(SolvedExercises, IsNothingAtFirstAndThenWhatWasNoted) {
  EXPECT_EQ(state::solved(file()), Solved{});
  EXPECT_FALSE(fs::exists(file().parent_path())) << "looking makes no directories";
  state::note(file(), 4);
  state::note(file(), 1);
  state::note(file(), 4);
  EXPECT_EQ(state::solved(file()), (Solved{1, 4}));
  const auto beside = fs::directory_iterator(file().parent_path());
  EXPECT_EQ(std::distance(begin(beside), end(beside)), 1) << "no passing file stays";
}

TEST_F(SolvedExercises, ForgetsOneOrAll) {
  EXPECT_EQ(state::forget(file(), 0), 0U);
  for (const int n : {1, 2, 3}) state::note(file(), n);
  EXPECT_EQ(state::forget(file(), 2), 1U);
  EXPECT_EQ(state::forget(file(), 2), 0U);
  EXPECT_EQ(state::solved(file()), (Solved{1, 3}));
  EXPECT_EQ(state::forget(file(), 0), 2U);
  EXPECT_EQ(state::solved(file()), Solved{});
}

TEST_F(SolvedExercises, OfTwoHomesAreTwo) {
  const fs::path other = state::file((home_.path() / "other").c_str(), nullptr);
  state::note(file(), 1);
  state::note(other, 2);
  EXPECT_EQ(state::solved(file()), Solved{1});
  EXPECT_EQ(state::solved(other), Solved{2});
}

TEST_F(SolvedExercises, TakesABrokenFileAsFarAsItGoes) {
  hold("2\n5\nhello\n6\n");
  EXPECT_EQ(state::solved(file()), (Solved{2, 5}));
  hold(std::string(1000, '\xff'));
  EXPECT_EQ(state::solved(file()), Solved{});
  hold("99999999999999999999\n");
  EXPECT_EQ(state::solved(file()), Solved{});
  std::string endless;
  for (int i = 0; i < 100000; ++i) endless += std::to_string(i) + "\n";
  hold(endless);
  EXPECT_LE(state::solved(file()).size(), 100U);
  hold("2\nhello\n");
  state::note(file(), 3);
  EXPECT_EQ(state::solved(file()), (Solved{2, 3})) << "and is mended by the next note";
}

TEST_F(SolvedExercises, DoesNotWaitForAPipeOrReadADirectory) {
  fs::create_directories(file().parent_path());
  ASSERT_EQ(::mkfifo(file().c_str(), 0600), 0);
  EXPECT_EQ(state::solved(file()), Solved{});
  fs::remove(file());
  fs::create_directories(file() / "inside");
  EXPECT_EQ(state::solved(file()), Solved{});
  EXPECT_THROW(state::note(file(), 1), std::system_error);
  EXPECT_EQ(state::forget(file(), 1), 0U) << "nothing is noted there";
  const auto beside = fs::directory_iterator(file().parent_path());
  EXPECT_EQ(std::distance(begin(beside), end(beside)), 1) << "no passing file stays";
}

TEST(ProgressOfNoHome, CannotBeNotedAndIsNothing) {
  for (const char* const file : {"", "/dev/null/mha/lesson-09", "/proc/mha/lesson-09"}) {
    EXPECT_THROW(state::note(file, 1), std::system_error) << file;
    EXPECT_EQ(state::solved(file), Solved{}) << file;
    EXPECT_EQ(state::forget(file, 0), 0U) << file;
  }
}

TEST_F(SolvedExercises, SurvivesWritersAtTheSameTime) {
  std::atomic<bool> done = false;
  std::vector<std::thread> writers;
  for (int n = 1; n <= 6; ++n) {
    writers.emplace_back([this, n] {
      for (int round = 0; round < 50; ++round) {
        state::note(file(), n);
        state::forget(file(), n);
      }
      state::note(file(), n);
    });
  }
  std::thread reader([this, &done] {
    static const std::regex whole("([1-6]\n)*");
    while (!done) {
      std::ifstream stream(file(), std::ios::binary);
      const std::string content{std::istreambuf_iterator<char>(stream), {}};
      EXPECT_TRUE(std::regex_match(content, whole)) << content;
    }
  });
  for (std::thread& writer : writers) writer.join();
  done = true;
  reader.join();
  EXPECT_EQ(state::solved(file()), (Solved{1, 2, 3, 4, 5, 6})) << "no writer undid another's note";
}

}  // namespace
}  // namespace mha::test
