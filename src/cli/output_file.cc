#include "cli/output_file.h"

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

}  // namespace

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
  struct stat file {};
  struct stat output {};
  if (::stat(path.c_str(), &file) == 0 && ::fstat(STDOUT_FILENO, &output) == 0 &&
      file.st_dev == output.st_dev && file.st_ino == output.st_ino) {
    throw std::runtime_error(cannot_write(option, path) + ": standard output goes there");
  }
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
