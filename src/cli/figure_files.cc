#include "cli/figure_files.h"

#include <filesystem>
#include <system_error>

#include "cli/in_quotes.h"
#include "cli/output_file.h"
#include "render/svg/svg.h"

namespace mha::cli {
namespace {

void make_directory(const std::string& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  // A directory that is there already is fine, a file of that name is not, and not every library says so.
  if (!error && !std::filesystem::is_directory(directory))
    error = std::make_error_code(std::errc::not_a_directory);
  if (error) throw std::system_error(error, "--svg: cannot make the directory " + in_quotes(directory));
}

}  // namespace

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
