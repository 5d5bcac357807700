#include "cli/output_file.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <stdexcept>
#include <system_error>

#include "cli/in_quotes.h"
#include "state/whole_file.h"

namespace mha::cli {
namespace {

std::string cannot_write(const std::string& option, const std::string& path) {
  return option + ": cannot write " + in_quotes(path);
}

/// Whether an open file is the one at `path`.
bool is_at(int descriptor, const std::string& path) {
  struct stat there {};
  struct stat open {};
  return ::stat(path.c_str(), &there) == 0 && ::fstat(descriptor, &open) == 0 &&
         there.st_dev == open.st_dev && there.st_ino == open.st_ino;
}

}  // namespace

void refuse_over_what_is_read(const std::string& option, const std::string& path,
                              const std::vector<ReadFile>& reads) {
  for (const ReadFile& read : reads) {
    std::error_code error;
    if (!std::filesystem::equivalent(path, read.path, error)) continue;
    throw std::invalid_argument(
        fmt::format("{}: {} is the file of {}; take another name", option, in_quotes(path), read.option));
  }
}

void require_place_for_a_file(const std::string& option, const std::string& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (std::filesystem::is_directory(status)) {
    throw std::system_error(std::make_error_code(std::errc::is_a_directory), cannot_write(option, path));
  }
  // Moving a file over a device or a pipe would take that away from whoever else uses it.
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    throw std::runtime_error(cannot_write(option, path) + ": it is not a regular file");
  }
  if (is_at(STDOUT_FILENO, path))
    throw std::runtime_error(cannot_write(option, path) + ": standard output goes there");
  if (is_at(STDIN_FILENO, path))
    throw std::runtime_error(cannot_write(option, path) + ": standard input comes from there");
}

void write_output_file(const std::string& option, const std::string& path, std::string_view content) {
  require_place_for_a_file(option, path);
  try {
    state::write_whole_file(path, content);
  } catch (const std::system_error& e) {
    throw std::system_error(e.code(), cannot_write(option, path));
  }
}

}  // namespace mha::cli
