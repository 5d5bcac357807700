#include "cli/request.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <system_error>

#include "cli/command_table.h"
#include "cli/did_you_mean.h"
#include "cli/in_quotes.h"
#include "cli/options.h"

namespace mha::cli {
namespace {

constexpr int kMostThreads = 1024;

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const Command& command : command_table()) names.push_back(command.name);
  return names;
}

std::string program_help() {
  std::size_t width = 0;
  for (const Command& command : command_table()) width = std::max(width, command.name.size());
  std::string text =
      "Usage: mha COMMAND [options]\n\n"
      "Multi-head attention, made runnable: small hand-set heads whose every number can be checked.\n\n"
      "Commands:\n";
  for (const Command& command : command_table()) {
    text += fmt::format("  {:<{}}  {}\n", command.name, width, command.summary);
  }
  text +=
      "\nEvery command takes --format text|json, --full (matrices printed whole), --html FILE (all of it as one\n"
      "page), --threads N and --help; those with figures --plot (draw them here), --svg DIR (as files) and\n"
      "--color auto|always|never.\n"
      "mha --version prints the version.\n\n"
      "Exit status: 0 done, also when the reader of a pipe leaves early; 1 the work failed or a check is\n"
      "not ok; 2 the request is wrong.\n\n"
      "Examples:\n"
      "  mha run\n"
      "  mha concat --T 4\n"
      "  mha weights --plot\n"
      "  mha weights --help\n";
  return text;
}

[[noreturn]] void refuse_command(const std::string& word) {
  std::vector<std::string> known = command_names();
  const std::string commands = fmt::format("{}", fmt::join(known, ", "));
  if (!word.empty() && word[0] == '-') {
    known = {"--help", "--version"};
    const std::string hint = did_you_mean(word, known);
    throw std::invalid_argument(fmt::format("unknown option {}{}", in_quotes(word),
                                            hint.empty() ? "; a command comes first: " + commands : hint));
  }
  known.insert(known.end(), {"--help", "--version"});
  const std::string hint = did_you_mean(word, known);
  throw std::invalid_argument(fmt::format("unknown command {}{}", in_quotes(word),
                                          hint.empty() ? "; the commands are " + commands : hint));
}

/// A page in the place of a file that it is made from would take that file away.
void refuse_page_over_what_is_read(const Options& options, const std::string& page) {
  if (page.empty()) return;
  for (const char* name : {"--input", "--x", "--expect", "--check"}) {
    std::error_code error;
    if (!std::filesystem::equivalent(page, options.text_of(name), error)) continue;
    throw std::invalid_argument(
        fmt::format("--html: {} is the file of {}; take another name for the page", in_quotes(page), name));
  }
}

}  // namespace

Request read_request(const std::vector<std::string>& arguments) {
  if (arguments.empty()) {
    throw std::invalid_argument(
        fmt::format("a command is missing: {}; mha --help says more", fmt::join(command_names(), ", ")));
  }
  const std::string& first = arguments.front();
  const std::vector<std::string> rest(arguments.begin() + 1, arguments.end());
  if (first == "--help" || first == "-h" || first == "--version") {
    if (!rest.empty())
      throw std::invalid_argument(
          fmt::format("{} takes nothing after it, not {}", first, in_quotes(rest[0])));
    return {.text = first == "--version" ? "mha " MHA_VERSION "\n" : program_help(), .work = {}};
  }

  const auto& table = command_table();
  const auto command =
      std::find_if(table.begin(), table.end(), [&](const Command& c) { return c.name == first; });
  if (command == table.end()) refuse_command(first);

  Request request;
  Options options("mha " + command->name, command->description, command->examples);
  request.work = command->declare(options);
  options.choice("--format", request.format, {"text", "json"}, "how to print the result");
  options.flag("--full", request.full,
               "print every row and column; without it at most 8 of each (JSON is always whole)");
  options.whole("--threads", request.threads, kMostThreads, "N",
                "threads to compute with, the numbers being the same (default: one for each processor)");
  if (command->draws) {
    options.flag("--plot", request.plot, "draw the figures in the terminal too");
    options.path("--svg", request.svg, "DIR", "write the figures there, each as NAME.svg");
  }
  options.path("--html", request.html, "FILE", "write all of it there as one page");
  if (command->draws) {
    options.choice("--color", request.color, {"auto", "always", "never"}, "colours of --plot");
  }
  if (!options.read(rest)) return {.text = options.help(), .work = {}};
  const std::string given = options.given({"--full", "--format", "--plot", "--svg", "--html", "--color"});
  request.words = command->name + (given.empty() ? "" : " " + given);
  if (request.plot && request.format == "json") {
    throw std::invalid_argument(
        "--plot: a drawing is no JSON; take --format text, or --svg to have the figures as files");
  }
  refuse_page_over_what_is_read(options, request.html);
  return request;
}

}  // namespace mha::cli
