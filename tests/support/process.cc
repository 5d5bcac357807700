#include "tests/support/process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "tests/support/temporary_directory.h"

namespace mha::test {
namespace {

/// Runs in the child: becomes the shell.
[[noreturn]] void become(const std::string& command, const std::map<std::string, std::string>& environment,
                         const TemporaryDirectory& state) {
  ::setenv("XDG_STATE_HOME", state.path().c_str(), 1);
  const std::string directory = std::filesystem::path(MHA_PROGRAM).parent_path().string();
  ::setenv("PATH", (directory + ":" + std::getenv("PATH")).c_str(), 1);
  for (const auto& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
  ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
  ::_exit(127);
}

/// Ends the running test: skipped, but failed in CI, which has to have what the test needs.
[[noreturn]] void skip(const std::string& why) {
  const char* const ci = std::getenv("CI");
  if (ci != nullptr && *ci != '\0') throw std::runtime_error(why);
  [&why] { GTEST_SKIP() << why; }();
  // GoogleTest takes this exception for one whose reason has been recorded.
  throw testing::AssertionException(
      testing::TestPartResult(testing::TestPartResult::kSkip, __FILE__, __LINE__, why.c_str()));
}

int status_of(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

std::string read_all(int descriptor) {
  std::string text;
  std::array<char, 1 << 16> buffer{};
  for (;;) {
    const ssize_t size = ::read(descriptor, buffer.data(), buffer.size());
    if (size <= 0) return text;  // a terminal whose program has ended gives an error, not an end
    text.append(buffer.data(), static_cast<std::size_t>(size));
  }
}

}  // namespace

Outcome shell(const std::string& command, const std::map<std::string, std::string>& environment,
              const std::string& directory) {
  const TemporaryDirectory state;  // what a program notes of its runs must not reach the next one
  // Standard error goes to a file: with two pipes, a program that fills one while the other is read
  // would wait for ever.
  std::string err_name = (std::filesystem::temp_directory_path() / "mha-stderr-XXXXXX").string();
  const int err = ::mkstemp(err_name.data());
  std::array<int, 2> out{};
  if (err < 0 || ::pipe(out.data()) != 0) throw std::runtime_error("no pipe");
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(::open("/dev/null", O_RDONLY), STDIN_FILENO);
    ::dup2(out[1], STDOUT_FILENO);
    ::dup2(err, STDERR_FILENO);
    for (const int descriptor : {out[0], out[1], err}) ::close(descriptor);
    if (!directory.empty() && ::chdir(directory.c_str()) != 0) ::_exit(127);
    become(command, environment, state);
  }
  ::close(out[1]);
  ::close(err);
  Outcome outcome;
  outcome.out = read_all(out[0]);
  ::close(out[0]);
  outcome.status = status_of(child);
  outcome.err = contents(err_name);
  std::filesystem::remove(err_name);
  return outcome;
}

Outcome on_terminal(const std::string& command, const std::map<std::string, std::string>& environment,
                    int columns) {
  const TemporaryDirectory state;  // what a program notes of its runs must not reach the next one
  winsize size{};
  size.ws_row = 50;
  size.ws_col = static_cast<unsigned short>(columns);
  int terminal = -1;
  const pid_t child = ::forkpty(&terminal, nullptr, nullptr, &size);
  if (child < 0) skip(std::string("no pseudo-terminal: ") + std::strerror(errno));
  if (child == 0) become(command, environment, state);
  Outcome outcome;
  outcome.out = read_all(terminal);
  for (std::size_t end = outcome.out.find("\r\n"); end != std::string::npos;
       end = outcome.out.find("\r\n", end)) {
    outcome.out.erase(end, 1);
  }
  ::close(terminal);
  outcome.status = status_of(child);
  return outcome;
}

std::string python_with_numpy() {
  for (const char* const python : {"/usr/bin/python3", "python3"}) {
    if (shell(std::string(python) + " -c 'import numpy'").status == 0) return python;
  }
  return "";
}

}  // namespace mha::test
