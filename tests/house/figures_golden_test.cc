#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "commands/commands.h"
#include "render/svg/svg.h"
#include "tests/support/close_numbers.h"
#include "tests/support/process.h"
#include "tests/support/temporary_directory.h"

namespace mha::test {
namespace {

namespace fs = std::filesystem;

const fs::path kGolden = fs::path(MHA_SOURCE_DIR) / "golden/09-multi-head-attention";

/// Fails unless the file holds that text, numbers' last digits aside; first rewrites it if that is asked for.
void expect_committed(const fs::path& path, const std::string& made) {
  std::string told = difference_beyond_last_digits(contents(path), made);
  if (!told.empty() && std::getenv("MHA_REWRITE_GOLDENS") != nullptr) {
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << made;
    told = difference_beyond_last_digits(contents(path), made);
  }
  EXPECT_EQ(told, "") << path << " is not what is made; make golden rewrites it";
}

/// These figures, each as it is committed in the folder, and no others there. `make golden` rewrites them.
void expect_committed(const fs::path& folder, const std::vector<report::Figure>& figures) {
  std::set<std::string> names;
  for (const report::Figure& figure : figures) {
    const fs::path path = folder / (figure.name + ".svg");
    EXPECT_TRUE(names.insert(path.filename()).second) << figure.name << " is drawn twice";
    expect_committed(path, render::svg(figure));
  }
  for (const auto& entry : fs::directory_iterator(folder)) {
    EXPECT_EQ(names.count(entry.path().filename()), 1U) << entry.path() << " is a figure of nothing";
  }
}

/// As `mha run --svg` writes them.
TEST(FiguresGolden, TheLessonsFiguresAreTheCommittedOnes) {
  expect_committed(kGolden / "figures", commands::run({}).figures());
}

/// Those that the guide to one's own heads shows.
TEST(FiguresGolden, TheFiguresOfOnesOwnHeadsAreTheCommittedOnes) {
  const std::string folder = MHA_SOURCE_DIR "/lessons/09-multi-head-attention/own-heads/";
  commands::HeadOptions options;
  options.source.file.path = folder + "model.safetensors";
  options.source.file.layout = input::Layout::kGpt2;
  options.source.file.prefix = "h.5.attn.";
  options.source.file.H = 4;
  options.source.file.x = folder + "ln1_out.npy";
  options.source.file.tokens = {"we", "saw", "the", "sea", "and", "swam", "to", "it"};
  expect_committed(kGolden / "own-figures", commands::inspect(options).figures);
}

/// So is the page of the lesson, as `mha run --html` writes it.
TEST(FiguresGolden, TheLessonsPageIsTheCommittedOne) {
  const fs::path made = fs::path(testing::TempDir()) / "mha-golden-lesson.html";
  ASSERT_EQ(shell("mha run --html '" + made.string() + "'").status, 0);
  expect_committed(kGolden / "lesson.html", contents(made));
  fs::remove(made);
}

TEST(DifferenceBeyondLastDigits, ForgivesNumbersTheirLastDigitsOnly) {
  EXPECT_EQ(difference_beyond_last_digits("a 0.25, 1e6 #440154\nb",
                                          "a 0.2500000000001, 1000000.0000001 #440154\nb"),
            "");
  EXPECT_EQ(difference_beyond_last_digits("0\n#31e999", "-1.8e-16\n#31e999"), "");
  EXPECT_EQ(difference_beyond_last_digits("x\na 0.25", "x\na 0.25000000001"),
            "line 2\n-a 0.25\n+a 0.25000000001");
  for (const char* other : {"a 0.25 ", "b 0.25", "a 0.25\nb", "a", ""}) {
    EXPECT_NE(difference_beyond_last_digits("a 0.25", other), "") << other;
  }
}

}  // namespace
}  // namespace mha::test
