#include "input/formats/byte_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

#include "input/formats/place.h"
#include "platform/files.h"
#include "platform/memory.h"

namespace mha::input {
namespace {

/// Runs what may fail in the file system, and names the file in what is thrown.
template <typename Action>
auto with_name(const std::string& name, Action action) {
  try {
    return action();
  } catch (const std::system_error& e) {
    refuse(name, e.code().message());
  }
}

class FileBytes : public ByteSource {
 public:
  FileBytes(const std::string& path, std::string name)
      : name_(std::move(name)), file_(with_name(name_, [&] { return platform::InputFile(path); })) {
    if (!file_.is_regular()) refuse(name_, "is not a regular file, so its parts cannot be read by position");
  }

  [[nodiscard]] std::uint64_t size() const override { return file_.size(); }

  void read(std::uint64_t offset, std::span<std::byte> bytes) const override {
    const std::size_t size = with_name(name_, [&] { return file_.read(offset, bytes); });
    if (size < bytes.size())
      refuse(name_, fmt::format("ends at byte {}, though it was {} bytes long", offset + size, file_.size()));
  }

 private:
  std::string name_;
  platform::InputFile file_;
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

/// All of a pipe or of standard input.
class ReadBytes : public ByteSource {
 public:
  ReadBytes(const std::string& path, const std::string& name) {
    // As much again is needed for what is made of it.
    const double most = platform::available_memory() / 3.0;
    text_ = with_name(name, [&] { return platform::read_to_end(path, static_cast<std::size_t>(most)); });
    if (static_cast<double>(text_.size()) > most) refuse(name, "is too long to be held in memory");
    bytes_ = memory_bytes(std::as_bytes(std::span(text_)), name);
  }

  [[nodiscard]] std::uint64_t size() const override { return bytes_->size(); }
  void read(std::uint64_t offset, std::span<std::byte> bytes) const override { bytes_->read(offset, bytes); }

 private:
  std::string text_;
  std::unique_ptr<ByteSource> bytes_;
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
  std::error_code ignored;
  if (path == "-" || std::filesystem::is_fifo(path, ignored)) return std::make_unique<ReadBytes>(path, name);
  return std::make_unique<FileBytes>(path, name);
}

std::unique_ptr<ByteSource> memory_bytes(std::span<const std::byte> bytes, const std::string& name) {
  return std::make_unique<MemoryBytes>(bytes, name);
}

}  // namespace mha::input
