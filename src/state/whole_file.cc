#include "state/whole_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string>
#include <system_error>

namespace mha::state {
namespace {

[[noreturn]] void fail() { throw std::system_error(errno, std::generic_category()); }

class SignalsWait {
 public:
  SignalsWait() {
    sigset_t all;
    sigfillset(&all);
    ::pthread_sigmask(SIG_BLOCK, &all, &before_);
  }
  SignalsWait(const SignalsWait&) = delete;
  SignalsWait& operator=(const SignalsWait&) = delete;
  ~SignalsWait() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

/// Beside `place`, for mkstemp to complete. Nothing is left of the place's own name, which may be as long as
/// a name can be.
std::string passing_name(const std::filesystem::path& place) {
  return (place.parent_path() / ".mha.XXXXXX").string();
}

/// The mode of the file that stands at `place`, else that of any new file; mkstemp's are for their owner
/// alone.
mode_t mode_at(const std::filesystem::path& place) {
  struct stat there {};
  if (::stat(place.c_str(), &there) == 0) return there.st_mode & 0777;
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

/// A file under a name that goes away with it, unless it is moved to its place.
class PassingFile {
 public:
  explicit PassingFile(const std::filesystem::path& place)
      : name_(passing_name(place)), descriptor_(::mkstemp(name_.data())) {
    if (descriptor_ < 0) fail();
  }
  PassingFile(const PassingFile&) = delete;
  PassingFile& operator=(const PassingFile&) = delete;
  ~PassingFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!moved_) ::unlink(name_.c_str());
  }

  void write(std::string_view content) const {
    while (!content.empty()) {
      const ssize_t written = ::write(descriptor_, content.data(), content.size());
      if (written < 0) fail();
      content.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  void move_to(const std::filesystem::path& place) {
    if (::fchmod(descriptor_, mode_at(place)) != 0) fail();
    const int closed = ::close(descriptor_);
    descriptor_ = -1;
    if (closed != 0 || ::rename(name_.c_str(), place.c_str()) != 0) fail();
    moved_ = true;
  }

 private:
  std::string name_;
  int descriptor_;
  bool moved_ = false;
};

}  // namespace

std::filesystem::path behind_links(std::filesystem::path place) {
  constexpr int kMostLinks = 40;  // as many as the kernel follows
  for (int links = 0; std::filesystem::is_symlink(std::filesystem::symlink_status(place)); ++links) {
    if (links == kMostLinks)
      throw std::system_error(std::make_error_code(std::errc::too_many_symbolic_link_levels));
    place = place.parent_path() / std::filesystem::read_symlink(place);
  }
  return place;
}

void write_whole_file(const std::filesystem::path& path, std::string_view content) {
  const std::filesystem::path place = behind_links(path);
  const SignalsWait meanwhile;
  PassingFile file(place);
  file.write(content);
  file.move_to(place);
}

}  // namespace mha::state
