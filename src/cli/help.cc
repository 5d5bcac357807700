#include "cli/help.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "cli/shared_options.h"

namespace mha::cli {

using options::Kind;
using options::Option;

std::vector<Option> ListedCommand::all() const {
  std::vector<Option> all = own;
  all.insert(all.end(), shared.begin(), shared.end());
  return all;
}

std::vector<ListedCommand> listed_commands() {
  std::vector<ListedCommand> listed;
  for (const commands::Command* command : command_table()) {
    options::Options own;
    command->declare(own);
    options::Options shared;
    SharedOptions ignored;
    declare_shared(shared, *command, ignored);
    listed.push_back({command, own.all(), shared.all()});
    listed.back().shared.push_back(
        {.name = "--help", .label = "", .help = "show this help", .kind = Kind::kFlag});
  }
  return listed;
}

const std::vector<Option>& program_options() {
  static const std::vector<Option> options = {
      {.name = "--help", .label = "", .help = "list the commands", .kind = Kind::kFlag},
      {.name = "--version", .label = "", .help = "print the version", .kind = Kind::kFlag},
      {.name = "--man", .label = "", .help = "print the manual page", .kind = Kind::kFlag},
      {.name = "--completion",
       .label = "SHELL",
       .help = "print what that shell needs to complete a command line",
       .kind = Kind::kChoice,
       .choices = {"bash", "zsh", "fish"}},
  };
  return options;
}

std::string program_help() {
  std::size_t width = 0;
  for (const commands::Command* command : command_table())
    width = std::max(width, std::string_view(command->name).size());
  std::string text =
      "Usage: mha COMMAND [options]\n\n"
      "Multi-head attention, made runnable: small hand-set heads whose every number can be checked.\n\n"
      "Commands:\n";
  for (const commands::Command* command : command_table()) {
    text += fmt::format("  {:<{}}  {}\n", command->name, width, command->summary);
  }
  return text +
         "\nEvery command takes --format text|json|npz, --output FILE (its arrays as .npz), --full (print matrices\n"
         "whole), --html FILE (everything as one page), --threads N and --help; commands with figures also take\n"
         "--plot (draw them here), --svg DIR (write them as files) and --color auto|always|never.\n"
         "mha --version prints the version, mha --man the manual page, and mha --completion bash|zsh|fish the\n"
         "completion script of that shell; make install puts them in place.\n\n"
         "Exit status: 0 done, also when the reader of a pipe leaves early; 1 the work failed or a check is\n"
         "not ok; 2 the request is wrong.\n\n"
         "Examples:\n"
         "  mha run\n"
         "  mha concat --T 4\n"
         "  mha weights --plot\n"
         "  mha weights --help\n";
}

std::string command_help(const commands::Command& command, const std::vector<Option>& options) {
  std::vector<Option> rows = options;
  rows.push_back({.name = "--help", .label = "", .help = "show this help", .kind = Kind::kFlag});
  std::stable_partition(rows.begin(), rows.end(), [](const Option& row) { return row.section.empty(); });
  const auto left = [](const Option& row) {
    return row.positional ? row.label : row.label.empty() ? row.name : row.name + " " + row.label;
  };
  std::string positional;
  std::size_t width = 0;
  for (const Option& row : rows) {
    if (row.positional) positional += fmt::format(" [{}{}]", row.label, row.repeats ? "…" : "");
    width = std::max(width, left(row).size());
  }
  std::string text = fmt::format("Usage: mha {}{} [options]\n\n{}\n\nOptions:\n", command.name, positional,
                                 command.description);
  std::string section;
  for (const Option& row : rows) {
    if (row.section != section) text += fmt::format("\n{}:\n", row.section);
    section = row.section;
    text += fmt::format("  {:<{}}  {}\n", left(row), width, row.help);
  }
  text += "\nExamples:\n";
  for (const char* example : command.examples) text += fmt::format("  {}\n", example);
  return text;
}

}  // namespace mha::cli
