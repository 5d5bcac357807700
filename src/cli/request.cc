#include "cli/request.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>

#include "cli/command_table.h"
#include "cli/help.h"
#include "cli/output_file.h"
#include "cli/parse.h"
#include "platform/terminal.h"
#include "text/did_you_mean.h"
#include "text/quote.h"

namespace mha::cli {
namespace {

using options::Kind;
using options::Option;
using text::in_quotes;

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const commands::Command* command : command_table()) names.emplace_back(command->name);
  return names;
}

std::vector<std::string> program_option_names() {
  std::vector<std::string> names;
  for (const Option& option : program_options()) names.push_back(option.name);
  return names;
}

/// The one of that name, if there is one.
const Option* program_option(const std::string& name) {
  const auto& options = program_options();
  const auto found =
      std::find_if(options.begin(), options.end(), [&](const Option& o) { return o.name == name; });
  return found == options.end() ? nullptr : &*found;
}

/// What such an option prints, `given` being how it was written.
std::string program_text(const Option& option, const std::string& given,
                         const std::vector<std::string>& rest) {
  const bool needs_value = option.kind != Kind::kFlag;
  if (needs_value && rest.empty())
    throw std::invalid_argument(
        fmt::format("{}: a value is missing; it is one of {}", option.name, fmt::join(option.choices, ", ")));
  const std::string value = needs_value ? rest[0] : "";
  if (needs_value && std::count(option.choices.begin(), option.choices.end(), value) == 0)
    options::refuse_value(option.name, value, options::one_of(option.choices, value));
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
    const std::string hint = text::did_you_mean(word, known);
    throw std::invalid_argument(fmt::format("unknown option {}{}", in_quotes(word),
                                            hint.empty() ? "; a command comes first: " + commands : hint));
  }
  const std::vector<std::string> alone = program_option_names();
  known.insert(known.end(), alone.begin(), alone.end());
  const std::string hint = text::did_you_mean(word, known);
  throw std::invalid_argument(fmt::format("unknown command {}{}", in_quotes(word),
                                          hint.empty() ? "; the commands are " + commands : hint));
}

/// `-` is a file of that name here, and whoever writes it means standard output, where the text goes.
void refuse_dash(const char* option, const std::string& given) {
  if (given == "-")
    throw std::invalid_argument(fmt::format(
        "{}: '-' is not standard output, which has what is printed; ./- is a file of that name", option));
}

/// Refuses outputs that do not go together.
void check_shown(const commands::Command& command, const SharedOptions& show) {
  const bool npz = show.format == Format::kNpz;
  if (show.plot && show.format != Format::kText)
    throw std::invalid_argument(
        fmt::format("--plot: a drawing is not {}; use --format text, or --svg to write the figures as files",
                    npz ? "a .npz" : "JSON"));
  refuse_dash("--svg", show.svg);
  refuse_dash("--html", show.html);
  if (!npz) refuse_dash("--output", show.output);
  if (show.output == "-" && platform::is_terminal(platform::Stream::kOutput))
    throw std::invalid_argument("--output: '-' is a terminal here, which cannot show a .npz");
  if ((npz || command.needs_output) && show.output.empty())
    throw std::invalid_argument(fmt::format("--output: a file for the arrays is needed, such as {}.npz{}",
                                            command.name, npz ? ", or - for standard output" : ""));
}

Request command_request(const commands::Command& command, const std::vector<std::string>& arguments) {
  Request request;
  const auto show = std::make_shared<SharedOptions>();
  options::Options options;
  request.work = command.declare(options);
  declare_shared(options, command, *show);
  const auto given = parse(command.name, options, arguments);
  if (!given) return {.text = command_help(command, options.all()), .work = {}};
  request.show = *show;
  const std::string words = command_line(*given);
  request.command_line = command.name + (words.empty() ? "" : " " + words);
  request.input_options = input_options(*given);
  for (const Given& one : *given) {
    if (one.option->reads_file) request.reads.push_back({one.option->name, one.texts.back()});
  }
  return request;
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
  if (const Option* option = program_option(name == "-h" ? "--help" : name)) {
    if (equals != std::string::npos) {
      if (option->kind == Kind::kFlag) throw std::invalid_argument(fmt::format("{}: takes no value", name));
      rest.insert(rest.begin(), first.substr(equals + 1));
    }
    return {.text = program_text(*option, name, rest), .work = {}};
  }

  const commands::Command* command = find_command(first);
  if (command == nullptr) refuse_command(first);
  Request request = command_request(*command, rest);
  if (!request.work) return request;
  check_shown(*command, request.show);
  if (!request.show.html.empty()) refuse_over_what_is_read("--html", request.show.html, request);
  if (!request.show.output.empty()) refuse_over_what_is_read("--output", request.show.output, request);
  return request;
}

}  // namespace mha::cli
