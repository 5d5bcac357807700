#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/support/process.h"
#include "tests/support/temporary_directory.h"

namespace mha::test {
namespace {

namespace fs = std::filesystem;

/// `make install` and `make uninstall`, of this build under a directory of its own. The build tree stays as
/// it is: CMake would write its manifest there, over that of a person's own installation.
class Install : public testing::Test {
 protected:
  void SetUp() override {
    if (shell("command -v cmake && command -v make").status != 0)
      GTEST_SKIP() << "cmake or make is not installed";
    const Outcome copied = shell(
        "mkdir -p build/installed && cp '" + build() + "/installed/files' build/installed && sed 's|\"" +
            build() + "/\\${CMAKE_INSTALL_MANIFEST}\"|\"'\"$PWD\"'/build/${CMAKE_INSTALL_MANIFEST}\"|' '" +
            build() + "/cmake_install.cmake' > build/cmake_install.cmake",
        {}, directory_.path());
    ASSERT_EQ(copied.status, 0) << copied.err;
  }

  [[nodiscard]] Outcome make(const std::string& target, const std::string& prefix) const {
    // The Makefile must take the program for up to date, and an outer make's options are not for this one.
    return shell("unset MAKEFLAGS; make --no-print-directory -C '" MHA_SOURCE_DIR "' -o '" + tree() +
                 "/mha' BUILD='" + tree() + "' DESTDIR='" + root() + "' PREFIX=" + prefix + " " + target);
  }

  [[nodiscard]] std::string build() const { return fs::path(MHA_PROGRAM).parent_path().string(); }
  [[nodiscard]] std::string tree() const { return directory_.in("build"); }
  [[nodiscard]] std::string root() const { return directory_.in("root"); }

 private:
  TemporaryDirectory directory_;
};

constexpr const char* kFiles =
    "bin/mha\n"
    "share/bash-completion/completions/mha\n"
    "share/fish/vendor_completions.d/mha.fish\n"
    "share/man/man1/mha.1\n"
    "share/zsh/site-functions/_mha\n";

TEST_F(Install, PutsTheProgramItsManualAndItsCompletionsWherePackagersWantThem) {
  const Outcome installed = make("install", "/opt/mha");
  EXPECT_EQ(installed.err, "");
  const Outcome found = shell(
      "for f in $(find * -type f | sort); do echo $f; done; "
      "bin/mha --man | cmp - share/man/man1/mha.1; "
      "bin/mha --completion bash | cmp - share/bash-completion/completions/mha; "
      "bin/mha --completion zsh | cmp - share/zsh/site-functions/_mha; "
      "bin/mha --completion fish | cmp - share/fish/vendor_completions.d/mha.fish",
      {}, root() + "/opt/mha");
  EXPECT_EQ(found.err, "");
  EXPECT_EQ(found.out, kFiles);
  EXPECT_FALSE(fs::exists(tree() + "/install_manifest.txt")) << "root's would stand in a user's way";
}

TEST_F(Install, IsUndoneUnderItsPrefixAndNowhereElse) {
  ASSERT_EQ(make("install", "/opt/a").err, "");
  ASSERT_EQ(make("install", "/opt/b").err, "");
  const Outcome removed = make("uninstall", "/opt/a");
  EXPECT_EQ(removed.status, 0);
  EXPECT_EQ(removed.err, "");
  EXPECT_EQ(shell("find opt/a -type f; find opt/b -type f | wc -l", {}, root()).out, "5\n");
  const Outcome again = make("uninstall", "/opt/a");
  EXPECT_NE(again.status, 0) << "there is nothing to remove";
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "nothing is installed under " + root() + "/opt/a", again.err);
}

}  // namespace
}  // namespace mha::test
