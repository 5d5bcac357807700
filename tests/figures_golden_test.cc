#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "commands/inspect.h"
#include "commands/run.h"
#include "render/svg.h"

namespace mha::test {
namespace {

namespace fs = std::filesystem;

const fs::path kGolden = fs::path(MHA_SOURCE_DIR) / "golden/09-multi-head-attention";

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

/// These figures, byte for byte what is committed in the folder, and no others there. `make golden` rewrites
/// them.
void expect_committed(const fs::path& folder, const std::vector<report::Figure>& figures) {
  const bool rewrite = std::getenv("MHA_REWRITE_GOLDENS") != nullptr;
  std::set<std::string> names;
  for (const report::Figure& figure : figures) {
    const fs::path path = folder / (figure.name + ".svg");
    EXPECT_TRUE(names.insert(path.filename()).second) << figure.name << " is drawn twice";
    const std::string drawn = render::svg(figure);
    if (rewrite) {
      fs::create_directories(folder);
      std::ofstream(path, std::ios::binary) << drawn;
    }
    std::ostringstream golden;
    golden << std::ifstream(path, std::ios::binary).rdbuf();
    EXPECT_TRUE(golden.str() == drawn) << path << " is not what is drawn; make golden rewrites it\n"
                                       << first_difference(golden.str(), drawn);
  }
  for (const auto& entry : fs::directory_iterator(folder)) {
    EXPECT_EQ(names.count(entry.path().filename()), 1U) << entry.path() << " is a figure of nothing";
  }
}

TEST(FiguresGolden, TheLessonsFiguresAreTheCommittedOnes) {
  std::vector<report::Figure> figures;
  for (const report::Script& script : commands::run({})) {
    for (const report::Report& step : script.steps) {
      figures.insert(figures.end(), step.figures.begin(), step.figures.end());
    }
  }
  expect_committed(kGolden / "figures", figures);
}

/// Those that the guide to one's own heads shows.
TEST(FiguresGolden, TheFiguresOfOnesOwnHeadsAreTheCommittedOnes) {
  const std::string folder = MHA_SOURCE_DIR "/lessons/09-multi-head-attention/own-heads/";
  commands::HeadOptions options;
  options.heads.clear();
  options.own.file = folder + "model.safetensors";
  options.own.layout = "gpt2";
  options.own.prefix = "h.5.attn.";
  options.own.H = 4;
  options.own.x = folder + "ln1_out.npy";
  options.own.tokens = {"we", "saw", "the", "sea", "and", "swam", "to", "it"};
  expect_committed(kGolden / "own-figures", commands::inspect(options).figures);
}

}  // namespace
}  // namespace mha::test
