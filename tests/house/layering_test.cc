// The rooms of the house: who may include whom, and what only the command line may touch.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/temporary_directory.h"

namespace mha::test {
namespace {

constexpr std::size_t kMostLines = 350;

/// For each room, what the includes of its own headers may begin with, beside the room itself and those that
/// every room may include.
const std::map<std::string, std::vector<std::string>> kArrows = {
    {"platform", {}},
    {"text", {}},
    {"attention", {}},
    {"analysis", {"attention/"}},
    {"lessons", {"attention/", "analysis/", "report/"}},
    {"input", {"attention/"}},
    {"options", {"attention/index.h"}},
    {"state", {}},
    {"fmt", {}},
    {"report", {"attention/"}},
    // The shape of numbers only: nothing is computed where it is printed.
    {"render", {"report/", "attention/index.h", "attention/matrix.h"}},
    {"commands", {"attention/", "analysis/", "lessons/", "input/", "state/", "report/", "options/"}},
    {"cli",
     {"attention/", "analysis/", "lessons/", "input/", "state/", "report/", "options/", "render/",
      "commands/"}},
};

const std::vector<std::string> kForEveryRoom = {"platform/", "text/"};

/// Headers of POSIX: for src/platform alone.
const std::regex kSystemHeader(
    R"(#include <((unistd|fcntl|poll|signal|dlfcn|termios|pthread)\.h|csignal|sys/.*)>)");

/// What prints, ends the program or reads arguments: for src/cli alone.
const std::array<std::string, 6> kCommandLineOnly = {"stdout", "stderr", "cout", "cerr", "printf", "abort"};

/// What rounds, and who may use it outside src/render: sentences to a person, which no report can
/// hold in parts.
const std::regex kRounding(R"(\{:[^}]*\.\d+[efg]|text::(fixed|compact)\()");
const std::vector<std::string> kSentences = {
    "src/cli/progress_line.cc", "src/input/memory.cc",
    "lessons/09-multi-head-attention/exercises/sharper_head.cc",    // findings
    "lessons/09-multi-head-attention/exercises/two_positions.cc"};  // findings

/// The code without its comments, every line in its place. String literals stay.
std::string without_comments(const std::string& code) {
  std::string result;
  enum { kCode, kLine, kBlock, kString, kCharacter } in = kCode;
  for (std::size_t i = 0; i < code.size(); ++i) {
    const char c = code[i];
    const char next = i + 1 < code.size() ? code[i + 1] : '\0';
    if (c == '\n') {
      if (in == kLine) in = kCode;
      result += c;
    } else if (in == kLine) {
      continue;
    } else if (in == kBlock) {
      if (c == '*' && next == '/') {
        in = kCode;
        ++i;
      }
    } else if (in == kString || in == kCharacter) {
      result += c;
      if (c == '\\') {
        result += next;
        ++i;
      } else if (c == (in == kString ? '"' : '\'')) {
        in = kCode;
      }
    } else if (c == '/' && (next == '/' || next == '*')) {
      in = next == '/' ? kLine : kBlock;
      ++i;
    } else {
      // A ' after a digit or a letter separates digits.
      const bool separator = !result.empty() && std::isalnum(static_cast<unsigned char>(result.back())) != 0;
      if (c == '"') in = kString;
      if (c == '\'' && !separator) in = kCharacter;
      result += c;
    }
  }
  return result;
}

bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool has_word(const std::string& line, const std::string& word) {
  for (std::size_t at = line.find(word); at != std::string::npos; at = line.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !in_word(line[at - 1])) && (end == line.size() || !in_word(line[end]))) return true;
  }
  return false;
}

/// `src/attention/matrix.h` is in attention, anything under lessons in lessons.
std::string room_of(const std::string& path) {
  const std::string first = path.substr(0, path.find('/'));
  return first == "src" ? room_of(path.substr(4)) : first;
}

bool starts_with_any(const std::string& text, const std::vector<std::string>& beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [&](const std::string& beginning) { return text.rfind(beginning, 0) == 0; });
}

/// What is against the rules in one file, a `file:line: what` each.
std::vector<std::string> violations(const std::string& path, const std::string& code) {
  std::vector<std::string> found;
  std::size_t number = 0;
  const auto report = [&](const std::string& what) {
    found.push_back(path + ":" + std::to_string(number) + ": " + what);
  };
  const std::string room = room_of(path);
  const auto arrows = kArrows.find(room);
  if (arrows == kArrows.end()) report("a room that the design does not have: " + room);

  std::istringstream lines(without_comments(code));
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const std::string include = "#include \"";
    if (line.rfind(include, 0) == 0) {
      const std::string header = line.substr(include.size(), line.rfind('"') - include.size());
      if (room_of(header) != room && arrows != kArrows.end() && !starts_with_any(header, arrows->second) &&
          !starts_with_any(header, kForEveryRoom)) {
        report(room + " may not include " + header);
      }
    }
    if (room != "platform" && std::regex_search(line, kSystemHeader)) {
      report("a system header outside src/platform");
    }
    const bool sentences = std::find(kSentences.begin(), kSentences.end(), path) != kSentences.end();
    if (room != "render" && room != "text" && !sentences && std::regex_search(line, kRounding)) {
      report("rounding outside src/render");
    }
    if (room == "cli") continue;
    for (const std::string& word : kCommandLineOnly) {
      if (has_word(line, word)) report(word + " outside src/cli");
    }
    // Help speaks of the exit status.
    if (std::regex_search(line, std::regex(R"(\bexit\()"))) report("exit outside src/cli");
    if (line.find("CLI::") != std::string::npos || line.find("<CLI/") != std::string::npos) {
      report("CLI11 outside src/cli");
    }
  }
  if (number > kMostLines) report("more than " + std::to_string(kMostLines) + " lines");
  return found;
}

TEST(Layering, HoldsInEveryFile) {
  const std::filesystem::path root = MHA_SOURCE_DIR;
  std::size_t files = 0;
  for (const char* const top : {"src", "lessons"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / top)) {
      const std::filesystem::path& path = entry.path();
      if (path.extension() != ".cc" && path.extension() != ".h") continue;
      ++files;
      for (const std::string& violation :
           violations(path.lexically_relative(root).generic_string(), contents(path))) {
        ADD_FAILURE() << violation;
      }
    }
  }
  EXPECT_GE(files, 40U) << "the rooms were not found under " << root;
}

using Found = std::vector<std::string>;

TEST(LayeringRule, SeesAnIncludeAgainstTheArrows) {
  EXPECT_EQ(violations("src/attention/a.cc", "#include <vector>\n#include \"analysis/rank.h\"\n"),
            Found{"src/attention/a.cc:2: attention may not include analysis/rank.h"});
  EXPECT_EQ(violations("src/render/a.cc", "#include \"attention/multi_head.h\"\n"),
            Found{"src/render/a.cc:1: render may not include attention/multi_head.h"});
  EXPECT_EQ(violations("src/commands/a.h", "\n#include \"cli/options.h\"\n#include \"render/text.h\"\n"),
            (Found{"src/commands/a.h:2: commands may not include cli/options.h",
                   "src/commands/a.h:3: commands may not include render/text.h"}));
  EXPECT_EQ(violations("lessons/09/a.cc", "#include \"commands/rank.h\"\n"),
            Found{"lessons/09/a.cc:1: lessons may not include commands/rank.h"});
}

TEST(LayeringRule, AllowsAnIncludeAlongTheArrows) {
  EXPECT_EQ(violations("src/render/a.cc", "#include \"report/report.h\"\n#include \"attention/matrix.h\"\n"),
            Found{});
  EXPECT_EQ(violations("src/commands/a.cc", "#include \"lessons/09/heads.h\"\n"), Found{});
  EXPECT_EQ(violations("src/analysis/a.cc", "#include \"analysis/a.h\"\n"), Found{});
}

TEST(LayeringRule, SeesASystemHeaderOutsideThePlatform) {
  for (const char* header :
       {"unistd.h", "fcntl.h", "sys/stat.h", "poll.h", "signal.h", "csignal", "dlfcn.h"}) {
    const std::string code = "#include <" + std::string(header) + ">\n";
    EXPECT_EQ(violations("src/cli/a.cc", code),
              Found{"src/cli/a.cc:1: a system header outside src/platform"});
    EXPECT_EQ(violations("src/platform/a.cc", code), Found{});
  }
  EXPECT_EQ(violations("src/platform/a.cc", "#include \"attention/matrix.h\"\n"),
            Found{"src/platform/a.cc:1: platform may not include attention/matrix.h"});
  EXPECT_EQ(violations("src/attention/a.cc", "#include \"platform/memory.h\"\n"), Found{});
}

TEST(LayeringRule, SeesWhatOnlyTheCommandLineMayTouch) {
  EXPECT_EQ(
      violations("src/report/a.cc", "f(stdout);\n\nstd::cerr << 1;\nfmt::printf(\"x\");\nexit(1);\n").size(),
      4U);
  EXPECT_EQ(violations("src/report/a.cc", "std::abort();\nCLI::App app;\n#include <CLI/CLI.hpp>\n").size(),
            3U);
  EXPECT_EQ(violations("src/cli/a.cc", "std::cerr << 1;\nexit(1);\nCLI::App app;\n"), Found{});
  EXPECT_EQ(violations("src/report/a.cc", "int exit_status; snprintf(a, b, c);\n"), Found{});
}

TEST(LayeringRule, SeesWhatRoundsOutsideRender) {
  for (const char* format : {"{:.4f}", "{:>8.3g}", "a {} b {:.2e} c"}) {
    const std::string code = "f(\"" + std::string(format) + "\");\n";
    EXPECT_EQ(violations("src/commands/a.cc", code),
              Found{"src/commands/a.cc:1: rounding outside src/render"});
    EXPECT_EQ(violations("src/render/a.cc", code), Found{});
    EXPECT_EQ(violations("src/input/memory.cc", code), Found{});
  }
  EXPECT_EQ(violations("src/commands/a.cc", "f(\"{:<{}} {:02x} {}.5f\");\n"), Found{});
  EXPECT_EQ(violations("src/commands/a.cc", "text::shortest(x);\ntext::fixed(x, 2);\n"),
            Found{"src/commands/a.cc:2: rounding outside src/render"});
}

TEST(LayeringRule, ReadsPastComments) {
  EXPECT_EQ(violations("src/report/a.cc", "// stdout\n/* exit(1)\n abort() */ int x;\n"), Found{});
  EXPECT_EQ(violations("src/report/a.cc", "auto s = \"//\"; exit(1);\n"),
            Found{"src/report/a.cc:1: exit outside src/cli"});
  EXPECT_EQ(violations("src/report/a.cc", "int n = 1'000; f('\"'); /* */ exit(1);\n"),
            Found{"src/report/a.cc:1: exit outside src/cli"});
}

TEST(LayeringRule, SeesALongFileAndAnUnknownRoom) {
  EXPECT_EQ(violations("src/report/a.cc", std::string(350, '\n')), Found{});
  EXPECT_EQ(violations("src/report/a.cc", std::string(351, '\n')),
            Found{"src/report/a.cc:351: more than 350 lines"});
  EXPECT_EQ(violations("src/utils/a.cc", ""),
            Found{"src/utils/a.cc:0: a room that the design does not have: utils"});
}

}  // namespace
}  // namespace mha::test
