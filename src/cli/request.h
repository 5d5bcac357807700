#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/output_file.h"
#include "report/report.h"

namespace mha::cli {

/// What a command line asks for: a text to print (help, version), or work and how to print its result.
struct Request {
  std::string text;
  std::function<report::Document()> work;  ///< empty when there is only text
  std::string format = "text";             ///< text or json
  bool full = false;
  int threads = 0;                   ///< 0: one for each processor
  bool plot = false;                 ///< draw the figures after the text
  std::string svg = {};              ///< the directory for the figures' files; empty for none
  std::string html = {};             ///< the file for all of it as one page; empty for none
  std::vector<ReadFile> reads = {};  ///< whose place no output may take
  std::string command_line =
      {};                      ///< the command and its options, without those that say how to show the result
  std::string color = "auto";  ///< auto, always or never
};

/// Reads the arguments after the program's name. Throws std::invalid_argument, with a message of one
/// line, for a request that is wrong.
Request read_request(const std::vector<std::string>& arguments);

}  // namespace mha::cli
