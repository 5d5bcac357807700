#include "input/formats/byte_source.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "input/formats/descriptor.h"
#include "input/formats/place.h"

namespace mha::input {
namespace {

[[noreturn]] void refuse_with(int error, const std::string& name) {
  refuse(name, std::generic_category().message(error));
}

class FileBytes : public ByteSource {
 public:
  FileBytes(const std::string& path, std::string name)
      // Without O_NONBLOCK a pipe that nobody writes to would be waited for.
      : name_(std::move(name)), file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    struct stat status {};
    if (file_.number() < 0 || ::fstat(file_.number(), &status) != 0) refuse_with(errno, name_);
    if (S_ISDIR(status.st_mode)) refuse_with(EISDIR, name_);
    if (!S_ISREG(status.st_mode))
      refuse(name_, "is no regular file, and its parts could not be read by place");
    size_ = static_cast<std::uint64_t>(status.st_size);
  }

  [[nodiscard]] std::uint64_t size() const override { return size_; }

  void read(std::uint64_t offset, std::span<std::byte> bytes) const override {
    while (!bytes.empty()) {
      const ssize_t size = ::pread(file_.number(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
      if (size < 0 && errno == EINTR) continue;
      if (size < 0) refuse_with(errno, name_);
      if (size == 0)
        refuse(name_, fmt::format("ends at byte {}, though it was {} bytes long", offset, size_));
      offset += static_cast<std::uint64_t>(size);
      bytes = bytes.subspan(static_cast<std::size_t>(size));
    }
  }

 private:
  std::string name_;
  Descriptor file_;
  std::uint64_t size_ = 0;
};

class MemoryBytes : public ByteSource {
 public:
  MemoryBytes(std::span<const std::byte> bytes, std::string name) : name_(std::move(name)), bytes_(bytes) {}

  [[nodiscard]] std::uint64_t size() const override { return bytes_.size(); }

  void read(std::uint64_t offset, std::span<std::byte> bytes) const override {
    if (offset > bytes_.size() || bytes.size() > bytes_.size() - offset)
      refuse(name_, fmt::format("ends at byte {}", bytes_.size()));
    std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(offset), bytes.size(), bytes.begin());
  }

 private:
  std::string name_;
  std::span<const std::byte> bytes_;
};

}  // namespace

ByteSource::~ByteSource() = default;

std::uint64_t little_endian(std::span<const std::byte> bytes) {
  std::uint64_t number = 0;
  for (std::size_t i = bytes.size(); i-- > 0;)
    number = number << 8 | std::to_integer<std::uint64_t>(bytes[i]);
  return number;
}

std::unique_ptr<ByteSource> file_bytes(const std::string& path, const std::string& name) {
  return std::make_unique<FileBytes>(path, name);
}

std::unique_ptr<ByteSource> memory_bytes(std::span<const std::byte> bytes, const std::string& name) {
  return std::make_unique<MemoryBytes>(bytes, name);
}

}  // namespace mha::input
