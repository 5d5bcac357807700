#include "platform/files.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <system_error>
#include <vector>

namespace mha::platform {
namespace {

[[noreturn]] void fail(int error) { throw std::system_error(error, std::generic_category()); }

/// What read() or pread() returns, tried again when a signal came in between.
template <typename Read>
std::size_t uninterrupted(Read read) {
  for (;;) {
    const ssize_t size = read();
    if (size >= 0) return static_cast<std::size_t>(size);
    if (errno != EINTR) fail(errno);
  }
}

/// All but the one of Ctrl-Z, after which a program goes on.
class BlockedSignals {
 public:
  BlockedSignals() {
    sigset_t all;
    sigfillset(&all);
    sigdelset(&all, SIGTSTP);
    ::pthread_sigmask(SIG_BLOCK, &all, &before_);
  }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;
  ~BlockedSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

  /// Whether one that is not ignored waits to end the program. Blocked, one that is ignored waits too.
  static bool is_one_waiting() {
    sigset_t waiting;
    ::sigpending(&waiting);
    for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGTERM}) {
      struct sigaction action {};
      if (sigismember(&waiting, signal) == 1 && ::sigaction(signal, nullptr, &action) == 0 &&
          action.sa_handler != SIG_IGN)
        return true;
    }
    return false;
  }

 private:
  sigset_t before_{};
};

/// For mkstemp to complete. It does not contain the target's own name, which may be as long as a name can be.
std::string temporary_name(const std::filesystem::path& target) {
  return (target.parent_path() / ".mha.XXXXXX").string();
}

/// The mode of the file at `path`, or that of any new file: mkstemp makes files for their owner alone.
mode_t mode_at(const std::filesystem::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) return status.st_mode & 0777;
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

/// Removed with the object unless it was moved to its target.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::filesystem::path& target)
      : name_(temporary_name(target)), file_(::mkstemp(name_.data())) {}
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (!moved_) ::unlink(name_.c_str());
  }

  void write(std::string_view content) const {
    while (!content.empty()) {
      const ssize_t written = ::write(file_.number(), content.data(), content.size());
      if (written < 0) fail(errno);
      content.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  void move_to(const std::filesystem::path& target) {
    if (::fchmod(file_.number(), mode_at(target)) != 0) fail(errno);
    file_.close();
    if (::rename(name_.c_str(), target.c_str()) != 0) fail(errno);
    moved_ = true;
  }

 private:
  std::string name_;
  Descriptor file_;
  bool moved_ = false;
};

}  // namespace

Descriptor::Descriptor(int number) : number_(number) {
  if (number_ < 0) fail(errno);
}

Descriptor::~Descriptor() {
  if (number_ >= 0) ::close(number_);
}

void Descriptor::close() {
  const int closed = ::close(number_);
  number_ = -1;
  if (closed != 0) fail(errno);
}

// Without O_NONBLOCK, opening a pipe waits for somebody to write to it.
InputFile::InputFile(const std::filesystem::path& path)
    : file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  struct stat status {};
  if (::fstat(file_.number(), &status) != 0) fail(errno);
  if (S_ISDIR(status.st_mode)) fail(EISDIR);
  regular_ = S_ISREG(status.st_mode);
  size_ = static_cast<std::uint64_t>(status.st_size);
}

std::size_t InputFile::read(std::uint64_t offset, std::span<std::byte> bytes) const {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const std::size_t size = uninterrupted([&] {
      return ::pread(file_.number(), bytes.data() + done, bytes.size() - done,
                     static_cast<off_t>(offset + done));
    });
    if (size == 0) break;
    done += size;
  }
  return done;
}

std::string read_to_end(const std::filesystem::path& path, std::size_t most) {
  // Not /dev/stdin, which opens a file anew at its beginning and a socket not at all.
  const Descriptor file(path == "-" ? ::dup(STDIN_FILENO) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::string text;
  std::vector<char> buffer(1 << 16);  // not on the stack, which may be as small
  while (text.size() <= most) {
    const std::size_t size =
        uninterrupted([&] { return ::read(file.number(), buffer.data(), buffer.size()); });
    if (size == 0) break;
    text.append(buffer.data(), size);
  }
  return text;
}

bool is_readable(const std::filesystem::path& path) { return ::access(path.c_str(), R_OK) == 0; }

std::filesystem::path follow_links(std::filesystem::path path) {
  constexpr int kMostLinks = 40;  // as many as the kernel follows
  for (int links = 0; std::filesystem::is_symlink(std::filesystem::symlink_status(path)); ++links) {
    if (links == kMostLinks) fail(ELOOP);
    path = path.parent_path() / std::filesystem::read_symlink(path);
  }
  return path;
}

void write_whole_file(const std::filesystem::path& path, std::string_view content) {
  write_whole_file(path, [content](const Write& write) { write(content); });
}

void write_whole_file(const std::filesystem::path& path,
                      const std::function<void(const Write& write)>& fill) {
  constexpr std::size_t kHeld = std::size_t{1} << 16;
  const std::filesystem::path target = follow_links(path);
  const BlockedSignals blocked;
  TemporaryFile file(target);
  std::string held;
  fill([&](std::string_view piece) {
    if (BlockedSignals::is_one_waiting()) fail(EINTR);
    held += piece;
    if (held.size() < kHeld) return;
    file.write(held);
    held.clear();
  });
  file.write(held);
  file.move_to(target);
}

DirectoryLock::DirectoryLock(const std::filesystem::path& directory)
    : directory_(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  while (::flock(directory_.number(), LOCK_EX) != 0 && errno == EINTR) {
  }
}

}  // namespace mha::platform
