#pragma once

#include <filesystem>
#include <string>

namespace mha::test {

/// An empty directory under a name of its own, gone with the object. Throws std::runtime_error if there can
/// be none.
class TemporaryDirectory {
 public:
  TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  ~TemporaryDirectory();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// The path of that name in it; with "" its own and a slash.
  [[nodiscard]] std::string in(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

/// A file with these bytes in a directory of its own, gone with the object.
class TemporaryFile {
 public:
  TemporaryFile(const std::string& name, const std::string& bytes);
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const std::filesystem::path& parent() const { return directory_.path(); }

 private:
  TemporaryDirectory directory_;
  std::string path_;
};

/// The bytes of a file; none where there is no file.
std::string contents(const std::filesystem::path& file);

}  // namespace mha::test
