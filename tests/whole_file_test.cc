// Files that appear whole or not at all.
#include "state/whole_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <system_error>

namespace mha::test {
namespace {

namespace fs = std::filesystem;

class WholeFile : public testing::Test {
 protected:
  WholeFile() {
    std::string name = (fs::temp_directory_path() / "mha-whole-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary directory");
    directory_ = name;
  }
  ~WholeFile() override { fs::remove_all(directory_); }

  [[nodiscard]] std::string content(const std::string& name) const {
    std::ifstream file(directory_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  [[nodiscard]] long count() const {
    return std::distance(fs::directory_iterator(directory_), fs::directory_iterator());
  }

  fs::path directory_;
};

TEST_F(WholeFile, IsAsAnyNewFileIs) {
  const mode_t before = ::umask(027);
  state::write_whole_file(directory_ / "new", "one");
  ::umask(before);
  EXPECT_EQ(content("new"), "one");
  EXPECT_EQ(fs::status(directory_ / "new").permissions(), fs::perms(0640));
}

TEST_F(WholeFile, KeepsTheModeOfTheOneThatItReplaces) {
  for (const auto mode : {fs::perms(0600), fs::perms(0664), fs::perms(0755)}) {
    state::write_whole_file(directory_ / "kept", "one");
    fs::permissions(directory_ / "kept", mode);
    state::write_whole_file(directory_ / "kept", "another");
    EXPECT_EQ(content("kept"), "another");
    EXPECT_EQ(fs::status(directory_ / "kept").permissions(), mode);
  }
}

TEST_F(WholeFile, TakesAsLongANameAsTheSystem) {
  const std::string longest(255, 'n');
  state::write_whole_file(directory_ / longest, "one");
  EXPECT_EQ(content(longest), "one");
  EXPECT_EQ(count(), 1) << "nothing else is left";
}

TEST_F(WholeFile, ChangesNothingWhereItCannotBeWritten) {
  fs::create_directory(directory_ / "taken");
  EXPECT_THROW(state::write_whole_file(directory_ / "taken", "one"), std::system_error);
  EXPECT_THROW(state::write_whole_file(directory_ / "none" / "new", "one"), std::system_error);
  EXPECT_EQ(count(), 1);
}

}  // namespace
}  // namespace mha::test
