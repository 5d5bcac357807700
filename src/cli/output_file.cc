#include "cli/output_file.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <stdexcept>
#include <system_error>
#include <tuple>

#include "input/memory.h"
#include "platform/files.h"
#include "platform/terminal.h"
#include "render/html/html.h"
#include "render/npz/npz.h"
#include "render/svg/svg.h"
#include "render/text/text.h"
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
    return std::filesystem::weakly_canonical(std::filesystem::absolute(platform::follow_links(path)));
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

/// Two of the files may not be one, be it through links.
void refuse_one_place_for_two(const std::vector<std::string>& figures, const SharedOptions& show) {
  std::map<std::filesystem::path, std::string> taken;
  for (const std::string& figure : figures) {
    const auto [other, is_new] = taken.emplace(place_of(figure), figure);
    if (is_new || other->second == figure) continue;  // a script may be run twice
    throw std::invalid_argument(fmt::format("--svg: {} and {} lead to one file; take another directory",
                                            text::in_quotes(other->second), text::in_quotes(figure)));
  }
  for (const auto& [option, path, what] :
       {std::tuple("--html", show.html, "a figure of --svg"),
        {"--output", show.output, "a figure of --svg or the page of --html"}}) {
    if (path.empty() || taken.emplace(place_of(path), path).second) continue;
    throw std::invalid_argument(
        fmt::format("{}: {} is {}; take another name", option, text::in_quotes(path), what));
  }
}

/// Refuses what a file cannot take the place of: a directory, a device or a pipe, or the file that standard
/// output goes to or standard input comes from.
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

/// A file appears whole or not at all; behind links, which stay. `content` is a text or writes one.
template <typename Content>
void write_output_file(const std::string& option, const std::string& path, const Content& content) {
  require_place_for_a_file(option, path);
  try {
    platform::write_whole_file(path, content);
  } catch (const std::system_error& e) {
    throw std::system_error(e.code(), cannot_write(option, path));
  }
}

/// Writes the figures to these paths. What is in the way of any of them is refused before the first is
/// written.
void write_figures(const std::vector<report::Figure>& figures, const std::vector<std::string>& paths,
                   const Request& request) {
  for (const std::string& path : paths) refuse_over_what_is_read("--svg", path, request);
  make_directory(request.show.svg);
  for (const std::string& path : paths) require_place_for_a_file("--svg", path);
  for (std::size_t i = 0; i < figures.size(); ++i) {
    write_output_file("--svg", paths[i], render::svg(figures[i]));
  }
}

/// The steps that lead on from this request: those for its input, or those for the lesson's heads, and none
/// that leads back to it.
void choose_next(std::vector<report::NextStep>& steps, const std::string& here, const Request& request) {
  std::erase_if(steps, [&](const report::NextStep& step) {
    using After = report::NextStep::After;
    const After other = request.input_options.empty() ? After::kFile : After::kLesson;
    return step.after == other || step.command_line == here;
  });
  for (report::NextStep& step : steps) {
    if (step.after == report::NextStep::After::kFile) step.command_line += " " + request.input_options;
  }
}

void write_page(report::Document document, const Request& request) {
  const std::string& path = request.show.html;
  require_place_for_a_file("--html", path);  // before the work of drawing
  if (request.show.full) {
    // As text, and in the page as it is made.
    constexpr double kCopies = 4.0;
    input::require_memory("--full with --html", kCopies * render::whole_text_bytes(document));
  }
  document.command_line = request.command_line;
  choose_next(document.explanation.next, request.command_line, request);
  for (report::Script& script : document.scripts) {
    for (report::Report& step : script.steps) {
      if (document.is_one_command()) step.command_line = request.command_line;
      choose_next(step.explanation.next, step.command_line, request);
    }
  }
  write_output_file("--html", path,
                    render::html(document, {.program = "mha " MHA_VERSION, .full = request.show.full}));
}

}  // namespace

void refuse_over_what_is_read(const std::string& option, const std::string& path, const Request& request) {
  for (const ReadFile& read : request.reads) {
    std::error_code error;
    if (!std::filesystem::equivalent(path, read.path, error)) continue;
    throw std::invalid_argument(fmt::format("{}: {} is the file of {}; take another name", option,
                                            text::in_quotes(path), read.option));
  }
}

void write_files(const report::Document& document, const Request& request,
                 const std::function<void(const std::string& path)>& tell) {
  const SharedOptions& show = request.show;
  const bool to_a_file = !show.output.empty() && show.output != "-";
  const std::vector<report::Figure> figures =
      show.svg.empty() ? std::vector<report::Figure>() : document.figures();
  std::vector<std::string> paths;
  for (const report::Figure& figure : figures)
    paths.push_back((std::filesystem::path(show.svg) / (figure.name + ".svg")).string());
  refuse_one_place_for_two(paths, show);
  if (!figures.empty()) write_figures(figures, paths, request);
  for (const std::string& path : paths) tell(path);
  if (!show.html.empty()) {
    write_page(document, request);
    tell(show.html);
  }
  if (to_a_file) {
    write_output_file("--output", show.output,
                      [&document](const platform::Write& write) { render::npz(document, write); });
    tell(show.output);
  }
}

}  // namespace mha::cli
