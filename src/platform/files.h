#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

/// Files as the operating system has them. Unless it says otherwise, what fails throws std::system_error
/// with the system's reason and no name: the caller knows what the user calls the file.
namespace mha::platform {

/// A file descriptor, closed when it goes out of scope.
class Descriptor {
 public:
  /// Throws the reason in errno for a number below 0, as open() and mkstemp() return on failure.
  explicit Descriptor(int number);
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor();
  [[nodiscard]] int number() const { return number_; }
  /// Closes it now, to see whether that fails.
  void close();

 private:
  int number_;
};

/// A regular file that is read by position. Not a mapping into memory: if a mapped file is cut short, the
/// program ends with a signal, where a read reports it.
class InputFile {
 public:
  /// Refuses a directory. `is_regular()` is false for a pipe or a device, which has no positions.
  explicit InputFile(const std::filesystem::path& path);
  [[nodiscard]] bool is_regular() const { return regular_; }
  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// Fills `bytes` from `offset` on. Returns how many bytes there were: fewer at the end of the file.
  [[nodiscard]] std::size_t read(std::uint64_t offset, std::span<std::byte> bytes) const;

 private:
  Descriptor file_;
  bool regular_ = false;
  std::uint64_t size_ = 0;
};

/// The content of a file or a pipe, or of standard input for `-`. Stops after it has read more than `most`
/// bytes, so that an endless file cannot fill the memory.
std::string read_to_end(const std::filesystem::path& path, std::size_t most);

/// Whether the file may be read.
bool is_readable(const std::filesystem::path& path);

/// The path that symbolic links lead to, whether it exists or not. Throws for links without an end.
std::filesystem::path follow_links(std::filesystem::path path);

/// Writes a file whole or not at all: to a temporary file in the same directory, which is then renamed. It
/// keeps the mode of the file that it replaces. Links are followed. When it throws, nothing has changed, and
/// a signal that ends the program leaves no temporary file behind.
void write_whole_file(const std::filesystem::path& path, std::string_view content);

/// The same of a content that comes in pieces: `fill` calls `write` with each. A signal that would end the
/// program does so when the next piece comes.
using Write = std::function<void(std::string_view piece)>;
void write_whole_file(const std::filesystem::path& path, const std::function<void(const Write& write)>& fill);

/// Holds a directory's lock (flock) while it lives. Where the file system has no locks it does nothing.
class DirectoryLock {
 public:
  explicit DirectoryLock(const std::filesystem::path& directory);

 private:
  Descriptor directory_;
};

}  // namespace mha::platform
