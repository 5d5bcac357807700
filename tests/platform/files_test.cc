// A file appears whole or not at all.
#include "platform/files.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>

#include "tests/support/models.h"

namespace mha::test {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::ptrdiff_t files_in(const fs::path& folder) {
  return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

/// No file may grow beyond so many bytes while it lives.
class SizeLimit {
 public:
  explicit SizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  SizeLimit(const SizeLimit&) = delete;
  SizeLimit& operator=(const SizeLimit&) = delete;
  ~SizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int);
};

TEST(WholeFile, ReplacesWhatWasThereAndLeavesNothingBeside) {
  const TemporaryFile old("place", "what was there, and longer");
  platform::write_whole_file(old.path(), "new");
  EXPECT_EQ(content(old.path()), "new");
  EXPECT_EQ(files_in(old.parent()), 1);
}

TEST(WholeFile, IsAsAnyNewFileIs) {
  const TemporaryFile beside("place", "");
  const mode_t before = ::umask(027);
  platform::write_whole_file(beside.parent() / "new", "one");
  ::umask(before);
  EXPECT_EQ(fs::status(beside.parent() / "new").permissions(), fs::perms(0640));
}

TEST(WholeFile, KeepsTheModeOfTheOneThatItReplaces) {
  for (const auto mode : {fs::perms(0600), fs::perms(0664), fs::perms(0755)}) {
    const TemporaryFile old("place", "what was there");
    fs::permissions(old.path(), mode);
    platform::write_whole_file(old.path(), "new");
    EXPECT_EQ(fs::status(old.path()).permissions(), mode);
  }
}

TEST(WholeFile, TakesAsLongANameAsTheSystem) {
  const TemporaryFile longest(std::string(255, 'n'), "what was there");
  platform::write_whole_file(longest.path(), "new");
  EXPECT_EQ(content(longest.path()), "new");
  EXPECT_EQ(files_in(longest.parent()), 1);
}

TEST(WholeFile, ThatCannotBeWrittenToItsEndChangesNothing) {
  const TemporaryFile old("place", "what was there");
  {
    const SizeLimit limit(4096);
    EXPECT_THROW(platform::write_whole_file(old.path(), std::string(100000, 'x')), std::system_error);
    EXPECT_THROW(platform::write_whole_file(old.parent() / "other", std::string(100000, 'x')),
                 std::system_error);
  }
  EXPECT_EQ(content(old.path()), "what was there");
  EXPECT_EQ(files_in(old.parent()), 1);
}

TEST(WholeFile, MayComeInPieces) {
  const TemporaryFile old("place", "what was there");
  const std::string piece(50000, 'x');
  platform::write_whole_file(old.path(), [&](const platform::Write& write) {
    for (int i = 0; i < 4; ++i) write(piece);
    EXPECT_EQ(content(old.path()), "what was there");
    write("end");
  });
  EXPECT_EQ(content(old.path()), piece + piece + piece + piece + "end");
  EXPECT_EQ(files_in(old.parent()), 1);
}

TEST(WholeFile, WhosePiecesFailChangesNothing) {
  const TemporaryFile old("place", "what was there");
  EXPECT_THROW(platform::write_whole_file(old.path(),
                                          [](const platform::Write& write) {
                                            write(std::string(100000, 'x'));
                                            throw std::logic_error("no more");
                                          }),
               std::logic_error);
  EXPECT_EQ(content(old.path()), "what was there");
  EXPECT_EQ(files_in(old.parent()), 1);
}

}  // namespace
}  // namespace mha::test
