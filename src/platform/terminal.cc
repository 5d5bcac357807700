#include "platform/terminal.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <system_error>

namespace mha::platform {
namespace {

int descriptor(Stream stream) { return static_cast<int>(stream); }

}  // namespace

bool is_open(Stream stream) { return ::fcntl(descriptor(stream), F_GETFD) != -1; }

bool is_terminal(Stream stream) { return ::isatty(descriptor(stream)) == 1; }

int terminal_columns(Stream stream) {
  winsize size{};
  return ::ioctl(descriptor(stream), TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

bool is_same_file(Stream stream, const std::string& path) {
  struct stat file {};
  struct stat open {};
  return ::stat(path.c_str(), &file) == 0 && ::fstat(descriptor(stream), &open) == 0 &&
         file.st_dev == open.st_dev && file.st_ino == open.st_ino;
}

void write_all(Stream stream, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor(stream), text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {
      // Whoever shares the descriptor made it non-blocking.
      pollfd ready{descriptor(stream), POLLOUT, 0};
      ::poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      throw std::system_error(errno, std::generic_category());
    }
  }
}

void ignore_write_signals() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace mha::platform
