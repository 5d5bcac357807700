#include "cli/figure_files.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "cli/in_quotes.h"
#include "render/svg.h"

namespace mha::cli {
namespace {

/// A file that is not there yet: written under a passing name, which goes away unless it is moved to its
/// place.
class FileInTheMaking {
 public:
  explicit FileInTheMaking(std::filesystem::path place)
      : place_(std::move(place)),
        passing_((place_.parent_path() / fmt::format(".{}.XXXXXX", place_.filename().string())).string()),
        descriptor_(::mkstemp(passing_.data())) {
    if (descriptor_ < 0) fail();
  }
  FileInTheMaking(const FileInTheMaking&) = delete;
  FileInTheMaking& operator=(const FileInTheMaking&) = delete;
  ~FileInTheMaking() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!moved_) ::unlink(passing_.c_str());
  }

  void write(const std::string& content) {
    for (std::size_t done = 0; done < content.size();) {
      const ssize_t written = ::write(descriptor_, content.data() + done, content.size() - done);
      if (written >= 0) {
        done += static_cast<std::size_t>(written);
      } else if (errno != EINTR) {
        fail();
      }
    }
  }

  void move_to_place() {
    // mkstemp's files are for their owner alone; a figure is a file like any other.
    const mode_t mask = ::umask(0);
    ::umask(mask);
    if (::fchmod(descriptor_, 0666 & ~mask) != 0) fail();
    const int closed = ::close(descriptor_);
    descriptor_ = -1;
    if (closed != 0 || ::rename(passing_.c_str(), place_.c_str()) != 0) fail();
    moved_ = true;
  }

 private:
  [[noreturn]] void fail() const {
    throw std::system_error(errno, std::generic_category(),
                            "--svg: cannot write " + in_quotes(place_.string()));
  }

  std::filesystem::path place_;
  std::string passing_;
  int descriptor_;
  bool moved_ = false;
};

void make_directory(const std::string& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  // A directory that is there already is fine, a file of that name is not, and not every library says so.
  if (!error && !std::filesystem::is_directory(directory))
    error = std::make_error_code(std::errc::not_a_directory);
  if (error) throw std::system_error(error, "--svg: cannot make the directory " + in_quotes(directory));
}

}  // namespace

std::vector<report::Figure> figures_of(const report::Document& document) {
  if (const auto* report = std::get_if<report::Report>(&document)) return report->figures;
  std::vector<report::Figure> figures;
  for (const report::Script& script : std::get<std::vector<report::Script>>(document)) {
    for (const report::Report& step : script.steps) {
      figures.insert(figures.end(), step.figures.begin(), step.figures.end());
    }
  }
  return figures;
}

std::vector<std::string> write_figures(const std::vector<report::Figure>& figures,
                                       const std::string& directory) {
  make_directory(directory);
  std::vector<std::string> paths;
  for (const report::Figure& figure : figures) {
    const std::filesystem::path place = std::filesystem::path(directory) / (figure.name + ".svg");
    const std::string content = render::svg(figure);
    FileInTheMaking file(place);
    file.write(content);
    file.move_to_place();
    paths.push_back(place.string());
  }
  return paths;
}

}  // namespace mha::cli
