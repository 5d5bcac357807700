#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/support/process.h"

namespace mha::test {
namespace {

TEST(Install, PutsTheProgramItsManualAndItsCompletionsWherePackagersWantThem) {
  if (shell("command -v cmake").status != 0) GTEST_SKIP() << "cmake is not installed";
  const std::string build = std::filesystem::path(MHA_PROGRAM).parent_path().string();
  const Outcome installed =
      shell("d=$(mktemp -d); DESTDIR=$d cmake --install '" + build +
            "' --prefix /opt/mha > /dev/null; cd $d/opt/mha && "
            "for f in $(find * -type f | sort); do echo $f; done; "
            "bin/mha --man | cmp - share/man/man1/mha.1; "
            "bin/mha --completion bash | cmp - share/bash-completion/completions/mha; "
            "bin/mha --completion zsh | cmp - share/zsh/site-functions/_mha; "
            "bin/mha --completion fish | cmp - share/fish/vendor_completions.d/mha.fish; "
            "rm -r $d");
  EXPECT_EQ(installed.err, "");
  EXPECT_EQ(installed.out,
            "bin/mha\n"
            "share/bash-completion/completions/mha\n"
            "share/fish/vendor_completions.d/mha.fish\n"
            "share/man/man1/mha.1\n"
            "share/zsh/site-functions/_mha\n");
}

}  // namespace
}  // namespace mha::test
