#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "commands/run.h"
#include "render/svg.h"

namespace mha::test {
namespace {

namespace fs = std::filesystem;

const fs::path kFigures = fs::path(MHA_SOURCE_DIR) / "golden/09-multi-head-attention/figures";

/// The first line in which two texts differ, for a person to read.
std::string first_difference(const std::string& golden, const std::string& drawn) {
  std::istringstream a(golden);
  std::istringstream b(drawn);
  std::string line_a;
  std::string line_b;
  for (int number = 1;; ++number) {
    const bool more_a = static_cast<bool>(std::getline(a, line_a));
    const bool more_b = static_cast<bool>(std::getline(b, line_b));
    if (!more_a && !more_b) return "they differ in no line";
    if (more_a != more_b || line_a != line_b) {
      return "line " + std::to_string(number) + "\n-" + (more_a ? line_a : "") + "\n+" +
             (more_b ? line_b : "");
    }
  }
}

/// The figures of the lesson, as `mha run --svg` writes them, byte for byte what is committed. `make
/// golden` rewrites them.
TEST(FiguresGolden, TheLessonsFiguresAreTheCommittedOnes) {
  const bool rewrite = std::getenv("MHA_REWRITE_GOLDENS") != nullptr;
  std::set<std::string> names;
  for (const report::Script& script : commands::run({})) {
    for (const report::Report& step : script.steps) {
      for (const report::Figure& figure : step.figures) {
        const fs::path path = kFigures / (figure.name + ".svg");
        EXPECT_TRUE(names.insert(path.filename()).second) << figure.name << " is drawn twice";
        const std::string drawn = render::svg(figure);
        if (rewrite) {
          fs::create_directories(kFigures);
          std::ofstream(path, std::ios::binary) << drawn;
        }
        std::ostringstream golden;
        golden << std::ifstream(path, std::ios::binary).rdbuf();
        EXPECT_TRUE(golden.str() == drawn) << path << " is not what is drawn; make golden rewrites it\n"
                                           << first_difference(golden.str(), drawn);
      }
    }
  }
  for (const auto& entry : fs::directory_iterator(kFigures)) {
    EXPECT_EQ(names.count(entry.path().filename()), 1U) << entry.path() << " is a figure of nothing";
  }
}

}  // namespace
}  // namespace mha::test
