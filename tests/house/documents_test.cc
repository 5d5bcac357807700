#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/process.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/transcript.h"

/// The documents show what the program prints, and a document that is not run goes stale in silence. In
/// a block fenced as ```console, a line `$ mha …` is a command and the lines up to the next `$ ` are its
/// whole output, standard error included; a last line `...` stands for the rest of it. Commands of other
/// programs are not run. A block fenced as ```python that begins with `# NAME.py` is that script, which is
/// run where it stands and prints nothing. All run beside the files of the document's folder. A number that
/// ends in "…" may go on. A command between backquotes in the text has to succeed, and a link to a file has
/// to lead to one.
namespace mha::test {
namespace {

namespace fs = std::filesystem;

/// A command that a document shows, and what it says comes of it.
struct Shown {
  int line;  ///< where the command stands, counted from 1
  std::string command;
  std::string output;
};

struct Document {
  std::string name;  ///< its path under the source directory
  std::vector<std::string> lines;
};

/// How a test that fails names its document.
void PrintTo(const Document& document, std::ostream* out) { *out << document.name; }

Document read(const fs::path& path) {
  Document document{path.lexically_relative(MHA_SOURCE_DIR).generic_string(), {}};
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) document.lines.push_back(line);
  return document;
}

fs::path folder_of(const Document& document) {
  return (fs::path(MHA_SOURCE_DIR) / document.name).parent_path();
}

/// README.md and every guide under lessons.
std::vector<Document> documents() {
  const fs::path root = MHA_SOURCE_DIR;
  std::vector<fs::path> paths = {root / "README.md"};
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / "lessons")) {
    if (entry.path().extension() == ".md") paths.push_back(entry.path());
  }
  std::sort(paths.begin() + 1, paths.end());
  std::vector<Document> documents;
  documents.reserve(paths.size());
  for (const fs::path& path : paths) documents.push_back(read(path));
  return documents;
}

std::vector<Shown> shown_commands(const Document& document, const std::string& python) {
  static const std::regex title("# ([a-z0-9_]+[.]py)");
  std::vector<Shown> commands;
  std::string script;  // whose lines come, the last of `commands`
  bool inside = false;
  bool listening = false;  // the lines that come are the output of the last of `commands`
  for (int number = 1; const std::string& line : document.lines) {
    std::smatch name;
    if (line.starts_with("```")) {
      if (!script.empty()) commands.back().command += fmt::format("END\n{} {}", python, script);
      inside = !inside && line == "```console";
      listening = false;
      script.clear();
    } else if (!script.empty()) {
      commands.back().command += line + "\n";
    } else if (number > 1 && document.lines[static_cast<std::size_t>(number) - 2] == "```python" &&
               std::regex_match(line, name, title)) {
      script = name[1];
      commands.push_back({number, fmt::format("cat > {} <<'END'\n", script), ""});
    } else if (inside && line.starts_with("$ ")) {
      listening = line.starts_with("$ mha");
      if (listening) commands.push_back({number, line.substr(2), ""});
    } else if (listening) {
      commands.back().output += line + "\n";
    }
    ++number;
  }
  return commands;
}

/// Commands in the running text and in tables, `mha …` between backquotes.
std::vector<Shown> inline_commands(const Document& document) {
  static const std::regex span("`(mha [^`]*)`");
  std::vector<Shown> commands;
  for (int number = 1; const std::string& line : document.lines) {
    for (std::sregex_iterator at(line.begin(), line.end(), span), end; at != end; ++at) {
      commands.push_back({number, (*at)[1], ""});
    }
    ++number;
  }
  return commands;
}

class DocumentTest : public testing::TestWithParam<Document> {};

TEST_P(DocumentTest, ShowsWhatTheProgramPrints) {
  constexpr std::string_view kRest = "...\n";
  const std::string python = python_with_numpy();
  const std::vector<Shown> commands = shown_commands(GetParam(), python);
  const TemporaryDirectory folder;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_of(GetParam())))
    fs::create_symlink(entry.path(), folder.path() / entry.path().filename());
  EXPECT_FALSE(commands.empty()) << "no ```console block with a `$ mha …` line in " << GetParam().name;
  for (const Shown& shown : commands) {
    SCOPED_TRACE(GetParam().name + ":" + std::to_string(shown.line) + ": $ " + shown.command);
    if (python.empty() && shown.command.starts_with("cat")) GTEST_SKIP() << "no python3 with numpy";
    // Both streams as a terminal shows them, in the order of writing.
    const std::string printed = shell("{ " + shown.command + "\n} 2>&1", {}, folder.path()).out;
    if (!shown.output.ends_with(kRest)) {
      const std::string told = disagreement({shown.command, shown.output}, {shown.command, printed});
      if (!told.empty()) ADD_FAILURE() << told;
      continue;
    }
    const std::string beginning = shown.output.substr(0, shown.output.size() - kRest.size());
    EXPECT_EQ(printed.substr(0, beginning.size()), beginning);
    EXPECT_GT(printed.size(), beginning.size()) << "`...` leaves nothing out";
  }
}

TEST_P(DocumentTest, NamesCommandsThatSucceed) {
  for (const Shown& named : inline_commands(GetParam())) {
    const Outcome outcome = shell(named.command, {}, folder_of(GetParam()));
    EXPECT_EQ(outcome.status, 0) << GetParam().name << ":" << named.line << ": " << named.command << "\n"
                                 << outcome.err;
  }
}

/// Of those that show no commands too.
TEST(DocumentLinks, LeadToFilesThatExist) {
  static const std::regex link(R"(\]\(([^):#]+)(#[^)]*)?\))");
  const fs::path root = MHA_SOURCE_DIR;
  std::vector<Document> all = documents();
  for (const char* name : {"CONTRIBUTING.md", "CHANGELOG.md"}) all.push_back(read(root / name));
  for (const Document& document : all) {
    const fs::path folder = (root / document.name).parent_path();
    for (int number = 1; const std::string& line : document.lines) {
      for (std::sregex_iterator at(line.begin(), line.end(), link), end; at != end; ++at) {
        EXPECT_TRUE(fs::exists(folder / (*at)[1].str()))
            << document.name << ":" << number << ": " << (*at)[1];
      }
      ++number;
    }
  }
}

std::string document_name(const testing::TestParamInfo<Document>& document) {
  std::string name = document.param.name;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Documents, DocumentTest, testing::ValuesIn(documents()), document_name);

}  // namespace
}  // namespace mha::test
