#include "cli/page_file.h"

#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "cli/in_quotes.h"
#include "commands/explain.h"
#include "input/memory.h"
#include "render/html.h"
#include "state/whole_file.h"

namespace mha::cli {
namespace {

std::string cannot_write(const std::string& path) { return "--html: cannot write " + in_quotes(path); }

/// Moving a page over a device or a pipe would take that away from whoever else uses it.
void refuse_what_is_no_file(const std::string& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (std::filesystem::is_directory(status)) {
    throw std::system_error(std::make_error_code(std::errc::is_a_directory), cannot_write(path));
  }
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    throw std::runtime_error(cannot_write(path) + ": it is not a regular file");
  }
}

/// What the printed blocks take when they are whole: "0.123456, " an entry, as text and in the page as it is
/// made.
double bytes_of(const report::Report& report) {
  constexpr double kBytesOfEntry = 4.0 * 10.0;
  double bytes = 0.0;
  for (const report::Line& line : report.lines) {
    for (const report::Item& item : line) {
      if (const auto* matrix = std::get_if<report::LazyMatrix>(&item)) {
        bytes += kBytesOfEntry * static_cast<double>(matrix->rows()) * static_cast<double>(matrix->cols());
      } else if (const auto* vector = std::get_if<report::Vector>(&item)) {
        bytes += kBytesOfEntry * static_cast<double>(vector->column.rows());
      }
    }
  }
  return bytes;
}

double bytes_of(const std::vector<report::Script>& scripts) {
  double bytes = 0.0;
  for (const report::Script& script : scripts) {
    for (const report::Report& step : script.steps) bytes += bytes_of(step);
  }
  return bytes;
}

}  // namespace

void write_page(report::Document document, const std::string& words, bool full, const std::string& path) {
  refuse_what_is_no_file(path);
  if (full) {
    input::require_memory("--full with --html",
                          std::visit([](const auto& content) { return bytes_of(content); }, document));
  }
  if (auto* report = std::get_if<report::Report>(&document)) report->words = words;
  render::Page page{
      .about = commands::explain(document), .words = words, .program = "mha " MHA_VERSION, .full = full};
  const std::string content = render::html(document, page);
  try {
    state::write_whole_file(path, content);
  } catch (const std::system_error& e) {
    throw std::system_error(e.code(), cannot_write(path));
  }
}

}  // namespace mha::cli
