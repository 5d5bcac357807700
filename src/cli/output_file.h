#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/figure.h"

/// The files that a run makes beside what it prints.
namespace mha::cli {

/// A file that a run reads, and the option that names it.
struct ReadFile {
  std::string option;
  std::string path;
};

/// Throws std::invalid_argument where a file written to `path` would take the place of one that is read.
void refuse_over_what_is_read(const std::string& option, const std::string& path,
                              const std::vector<ReadFile>& reads);

/// Throws std::invalid_argument where two figures, or the page and a figure, would be one file, be it through
/// links. There is no page where `page` is empty.
void refuse_one_place_for_two(const std::vector<std::string>& figures, const std::string& page);

/// Throws std::runtime_error, naming the option and the path, where a file cannot take the place of what is
/// there: a directory, a device or a pipe, or the file that standard output goes to or standard input comes
/// from.
void require_place_for_a_file(const std::string& option, const std::string& path);

/// Writes a file whole or not at all; behind links, which stay. Throws std::runtime_error as above, and if it
/// cannot be written.
void write_output_file(const std::string& option, const std::string& path, std::string_view content);

/// Where each figure's file goes: `directory`/name.svg.
std::vector<std::string> figure_paths(const std::vector<report::Figure>& figures,
                                      const std::string& directory);

/// Writes each figure to its path and makes the directory if need be. A file appears whole or not at all.
/// Throws std::runtime_error, naming the directory or the file, for what cannot be made or written; what is
/// in the way of any of them is refused before the first is written.
void write_figures(const std::vector<report::Figure>& figures, const std::string& directory);

}  // namespace mha::cli
