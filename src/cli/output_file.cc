#include "cli/output_file.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <stdexcept>
#include <system_error>

#include "platform/files.h"
#include "platform/terminal.h"
#include "render/svg/svg.h"
#include "text/quote.h"

namespace mha::cli {
namespace {

std::string cannot_write(const std::string& option, const std::string& path) {
  return option + ": cannot write " + text::in_quotes(path);
}

/// Where a file written to `path` comes to lie; `path` itself where links have no end, which is told by
/// whoever writes.
std::filesystem::path place_of(const std::string& path) {
  try {
    return std::filesystem::weakly_canonical(platform::follow_links(path));
  } catch (const std::system_error&) {
    return path;
  }
}

void make_directory(const std::string& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  // A directory that is there already is fine, a file of that name is not, and not every library says so.
  if (!error && !std::filesystem::is_directory(directory))
    error = std::make_error_code(std::errc::not_a_directory);
  if (error) throw std::system_error(error, "--svg: cannot make the directory " + text::in_quotes(directory));
}

}  // namespace

void refuse_one_place_for_two(const std::vector<std::string>& figures, const std::string& page) {
  std::map<std::filesystem::path, std::string> taken;
  for (const std::string& figure : figures) {
    const auto [other, is_new] = taken.emplace(place_of(figure), figure);
    if (is_new || other->second == figure) continue;  // a script may be run twice
    throw std::invalid_argument(fmt::format("--svg: {} and {} lead to one file; take another directory",
                                            text::in_quotes(other->second), text::in_quotes(figure)));
  }
  if (page.empty() || taken.count(place_of(page)) == 0) return;
  throw std::invalid_argument(
      fmt::format("--html: {} is a figure of --svg; take another name for the page", text::in_quotes(page)));
}

void refuse_over_what_is_read(const std::string& option, const std::string& path,
                              const std::vector<ReadFile>& reads) {
  for (const ReadFile& read : reads) {
    std::error_code error;
    if (!std::filesystem::equivalent(path, read.path, error)) continue;
    throw std::invalid_argument(fmt::format("{}: {} is the file of {}; take another name", option,
                                            text::in_quotes(path), read.option));
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
  if (platform::is_same_file(platform::Stream::kOutput, path))
    throw std::runtime_error(cannot_write(option, path) + ": standard output goes there");
  if (platform::is_same_file(platform::Stream::kInput, path))
    throw std::runtime_error(cannot_write(option, path) + ": standard input comes from there");
}

void write_output_file(const std::string& option, const std::string& path, std::string_view content) {
  require_place_for_a_file(option, path);
  try {
    platform::write_whole_file(path, content);
  } catch (const std::system_error& e) {
    throw std::system_error(e.code(), cannot_write(option, path));
  }
}

std::vector<std::string> figure_paths(const std::vector<report::Figure>& figures,
                                      const std::string& directory) {
  std::vector<std::string> paths;
  for (const report::Figure& figure : figures) {
    paths.push_back((std::filesystem::path(directory) / (figure.name + ".svg")).string());
  }
  return paths;
}

void write_figures(const std::vector<report::Figure>& figures, const std::string& directory) {
  make_directory(directory);
  const std::vector<std::string> paths = figure_paths(figures, directory);
  for (const std::string& path : paths) require_place_for_a_file("--svg", path);  // all before any is written
  for (std::size_t i = 0; i < figures.size(); ++i) {
    write_output_file("--svg", paths[i], render::svg(figures[i]));
  }
}

}  // namespace mha::cli
