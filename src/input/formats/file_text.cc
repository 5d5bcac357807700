#include "input/formats/file_text.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <vector>

#include "input/formats/descriptor.h"
#include "input/formats/place.h"

namespace mha::input {
namespace {

constexpr std::size_t kLongest = std::size_t{16} << 20;

[[noreturn]] void refuse_with_errno(const std::string& name) {
  refuse(name, std::generic_category().message(errno));
}

}  // namespace

std::string file_text(const std::string& path, const std::string& name) {
  // Not /dev/stdin, which opens a file anew at its beginning and a socket not at all.
  const Descriptor file(path == "-" ? ::dup(STDIN_FILENO) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.number() < 0) refuse_with_errno(name);
  std::string text;
  std::vector<char> buffer(1 << 16);  // a stack may be as small
  for (;;) {
    const ssize_t size = ::read(file.number(), buffer.data(), buffer.size());
    if (size == 0) break;
    if (size < 0) {
      if (errno == EINTR) continue;
      refuse_with_errno(name);  // a directory can be opened, and is refused here
    }
    text.append(buffer.data(), static_cast<std::size_t>(size));
    if (text.size() > kLongest) refuse(name, "is longer than 16 MiB");
  }
  if (text.empty()) refuse(name, "is empty");
  return text;
}

}  // namespace mha::input
