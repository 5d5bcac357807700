#include "cli/request.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "cli/command_table.h"
#include "cli/completion.h"
#include "cli/did_you_mean.h"
#include "cli/in_quotes.h"
#include "cli/listing.h"
#include "cli/manual.h"
#include "cli/options.h"
#include "cli/parse_values.h"
#include "cli/shared_options.h"

namespace mha::cli {
namespace {

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const Command& command : command_table()) names.push_back(command.name);
  return names;
}

std::vector<std::string> program_option_names() {
  std::vector<std::string> names;
  for (const OptionEntry& option : program_options()) names.push_back(option.name);
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
      "mha --version prints the version, mha --man the manual page, and mha --completion bash|zsh|fish what\n"
      "that shell needs to complete words; make install puts them in place.\n\n"
      "Exit status: 0 done, also when the reader of a pipe leaves early; 1 the work failed or a check is\n"
      "not ok; 2 the request is wrong.\n\n"
      "Examples:\n"
      "  mha run\n"
      "  mha concat --T 4\n"
      "  mha weights --plot\n"
      "  mha weights --help\n";
  return text;
}

/// The one of that name, if there is one.
const OptionEntry* program_option(const std::string& name) {
  const auto& options = program_options();
  const auto found =
      std::find_if(options.begin(), options.end(), [&](const OptionEntry& o) { return o.name == name; });
  return found == options.end() ? nullptr : &*found;
}

/// What such an option prints, `given` being how it was written.
std::string program_text(const OptionEntry& option, const std::string& given,
                         const std::vector<std::string>& rest) {
  const bool needs_value = option.value != OptionEntry::Value::kNone;
  if (needs_value && rest.empty())
    throw std::invalid_argument(
        fmt::format("{}: a value is missing; it is one of {}", option.name, fmt::join(option.choices, ", ")));
  const std::string value = needs_value ? parse_choice(option.name, rest[0], option.choices) : "";
  if (rest.size() > (needs_value ? 1 : 0))
    throw std::invalid_argument(fmt::format("{} takes nothing after it, not {}",
                                            needs_value ? given + " " + value : given,
                                            in_quotes(rest[needs_value ? 1 : 0])));
  if (option.name == "--completion") return completion(value);
  if (option.name == "--man") return manual();
  return option.name == "--version" ? "mha " MHA_VERSION "\n" : program_help();
}

[[noreturn]] void refuse_command(const std::string& word) {
  std::vector<std::string> known = command_names();
  const std::string commands = fmt::format("{}", fmt::join(known, ", "));
  if (!word.empty() && word[0] == '-') {
    known = program_option_names();
    const std::string hint = did_you_mean(word, known);
    throw std::invalid_argument(fmt::format("unknown option {}{}", in_quotes(word),
                                            hint.empty() ? "; a command comes first: " + commands : hint));
  }
  const std::vector<std::string> alone = program_option_names();
  known.insert(known.end(), alone.begin(), alone.end());
  const std::string hint = did_you_mean(word, known);
  throw std::invalid_argument(fmt::format("unknown command {}{}", in_quotes(word),
                                          hint.empty() ? "; the commands are " + commands : hint));
}

/// `-` is a file of that name here, and whoever writes it means standard output, where the text goes.
void refuse_dash(const char* option, const std::string& given) {
  if (given == "-")
    throw std::invalid_argument(fmt::format(
        "{}: '-' is not standard output, which has what is printed; ./- is a file of that name", option));
}

std::vector<ReadFile> files_read(const Options& options) {
  std::vector<ReadFile> files;
  for (const char* name : {"--input", "--x", "--expect", "--check"}) {
    if (options.was_given(name)) files.push_back({name, options.text_of(name)});
  }
  return files;
}

}  // namespace

Request read_request(const std::vector<std::string>& arguments) {
  if (arguments.empty()) {
    throw std::invalid_argument(
        fmt::format("a command is missing: {}; mha --help says more", fmt::join(command_names(), ", ")));
  }
  const std::string& first = arguments.front();
  std::vector<std::string> rest(arguments.begin() + 1, arguments.end());
  const std::size_t equals = first.find('=');
  const std::string name = first.substr(0, equals);
  if (const OptionEntry* option = program_option(name == "-h" ? "--help" : name)) {
    if (equals != std::string::npos) {
      if (option->value == OptionEntry::Value::kNone)
        throw std::invalid_argument(fmt::format("{}: takes no value", name));
      rest.insert(rest.begin(), first.substr(equals + 1));
    }
    return {.text = program_text(*option, name, rest), .work = {}};
  }

  const auto& table = command_table();
  const auto command =
      std::find_if(table.begin(), table.end(), [&](const Command& c) { return c.name == first; });
  if (command == table.end()) refuse_command(first);

  Request request;
  Options options("mha " + command->name, command->description, command->examples);
  request.work = command->declare(options);
  shared_options(*command, options, request);
  if (!options.read(rest)) return {.text = options.help(), .work = {}};
  const std::string given = options.given({"--full", "--format", "--plot", "--svg", "--html", "--color"});
  request.command_line = command->name + (given.empty() ? "" : " " + given);
  if (request.plot && request.format == "json") {
    throw std::invalid_argument(
        "--plot: a drawing is no JSON; take --format text, or --svg to have the figures as files");
  }
  refuse_dash("--svg", request.svg);
  refuse_dash("--html", request.html);
  request.reads = files_read(options);
  if (!request.html.empty()) refuse_over_what_is_read("--html", request.html, request.reads);
  return request;
}

}  // namespace mha::cli
