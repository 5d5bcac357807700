#include "cli/help.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <string_view>
#include <vector>

namespace mha::cli {
namespace {

using options::Option;

/// Text that is set as it is: the characters that groff takes for commands, or sets as others in print, by
/// their names.
std::string escaped(std::string_view text) {
  static const std::map<char, std::string_view> kNames = {{'\\', "\\e"},  {'-', "\\-"},   {'\'', "\\(aq"},
                                                          {'"', "\\(dq"}, {'`', "\\(ga"}, {'^', "\\(ha"},
                                                          {'~', "\\(ti"}};
  std::string page;
  for (const char c : text) {
    const auto name = kNames.find(c);
    if (c == '.' && (page.empty() || page.back() == '\n')) page += "\\&";
    page += name != kNames.end() ? name->second : std::string_view(&c, 1);
  }
  return page;
}

std::string bold(std::string_view text) { return "\\fB" + escaped(text) + "\\fR"; }
std::string slanted(std::string_view text) { return "\\fI" + escaped(text) + "\\fR"; }

std::string left(const Option& entry) {
  if (entry.positional) return slanted(entry.label) + (entry.repeats ? " ..." : "");
  return bold(entry.name) + (entry.label.empty() ? "" : " " + slanted(entry.label));
}

/// A paragraph with what is explained hanging out at its left.
std::string paragraph(const Option& entry) {
  std::string help = entry.help;
  // Of an option the help says the choices where it has them; of a word it does not.
  if (!entry.choices.empty() && help.find(entry.choices.back()) == std::string::npos)
    help += fmt::format(": {}", fmt::join(entry.choices, ", "));
  return fmt::format(".TP\n{}\n{}\n", left(entry), escaped(help));
}

/// Options that the page explains once, though several commands have them.
struct Section {
  std::string heading;
  std::vector<Option> options;
};

/// To the section of that heading, which may be new, unless it has one of that name.
void add(const Option& option, const std::string& heading, std::vector<Section>& sections) {
  auto section = std::find_if(sections.begin(), sections.end(),
                              [&](const Section& other) { return other.heading == heading; });
  if (section == sections.end()) section = sections.insert(section, {heading, {}});
  std::vector<Option>& options = section->options;
  const auto same = [&](const Option& other) { return other.name == option.name; };
  if (std::none_of(options.begin(), options.end(), same)) options.push_back(option);
}

/// The headings under which commands list their options, but the first one, in the order of the table, and
/// the options that all share.
std::vector<Section> sections_of(const std::vector<ListedCommand>& commands) {
  std::vector<Section> sections;
  for (const ListedCommand& command : commands) {
    for (const Option& option : command.own) {
      if (!option.section.empty()) add(option, option.section, sections);
    }
  }
  for (const ListedCommand& command : commands) {
    for (const Option& option : command.shared) add(option, "Shared options", sections);
  }
  return sections;
}

std::string section_part(const Section& section) {
  std::string upper = section.heading;
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  std::string page = fmt::format(".SH \"{}\"\n", escaped(upper));
  for (const Option& option : section.options) page += paragraph(option);
  return page;
}

std::string joined_names(const std::vector<Option>& options, std::string_view section) {
  std::vector<std::string> names;
  for (const Option& option : options) {
    if (option.section == section) names.push_back(bold(option.name));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string command_part(const ListedCommand& listed, const std::vector<Section>& sections) {
  const commands::Command& command = *listed.command;
  std::string usage = bold(fmt::format("mha {}", command.name));
  for (const Option& entry : listed.own) {
    if (entry.positional) usage += fmt::format(" [{}]", left(entry));
  }
  std::string page = fmt::format(".SS \"{}: {}\"\n{} [options]\n.PP\n{}\n", escaped(command.name),
                                 escaped(command.summary), usage, escaped(command.description));
  for (const Option& entry : listed.own) {
    if (entry.section.empty()) page += paragraph(entry);
  }
  for (const Section& section : sections) {
    const std::string names = joined_names(listed.own, section.heading);
    if (!names.empty()) page += fmt::format(".PP\n{}: {}.\n", escaped(section.heading), names);
  }
  page += fmt::format(".PP\nShared: {}.\n", joined_names(listed.shared, ""));
  page += ".PP\nExamples:\n.RS\n.nf\n";
  for (const char* example : command.examples) page += escaped(example) + "\n";
  return page + ".fi\n.RE\n";
}

// `.nh` and `.ad l`: no hyphens but those that are typed, no blanks but those that are written.
constexpr std::string_view kStart = R"(.\" Made from the table of commands by `mha --man`.
.TH MHA 1 "" "mha )" MHA_VERSION R"(" "User Commands"
.nh
.ad l
.SH NAME
mha \- multi\-head attention, made runnable
.SH SYNOPSIS
.B mha
.I COMMAND
[options]
.br
.B mha
.I OPTION
.SH DESCRIPTION
Small hand\-set heads whose every number can be checked, or heads of your own from a file.
Without options a command prints what the lesson prints.
Results go to standard output; everything else, in lines that begin with
.BR mha: ,
to standard error.
.PP
In place of a command there can be one of these:
)";

constexpr std::string_view kEnd = R"(.SH "EXIT STATUS"
.TP
.B 0
All is done, also when the reader of a pipe leaves early.
.TP
.B 1
The work failed, because output could not be written or a check is not ok.
.TP
.B 2
The request is wrong: a command, an option or a value, or a file that was named.
.SH ENVIRONMENT
.TP
.B NO_COLOR
Set to something that is not empty: no colours in
.BR \-\-plot .
.TP
.B TERM
.B dumb
is a terminal without colours.
.TP
.B COLORTERM
.B truecolor
or
.B 24bit
is a terminal with colours 24 bits deep; otherwise they are 256.
.TP
.BR XDG_STATE_HOME ", " HOME
Where the file below lies.
.SH FILES
.TP
.IR $XDG_STATE_HOME /mha/lesson\-09
Which exercises
.B mha exercise
has noted as solved; without
.B XDG_STATE_HOME
it is
.IR \(ti/.local/state/mha/lesson\-09 .
)";

}  // namespace

std::string manual() {
  const std::vector<ListedCommand> commands = listed_commands();
  const std::vector<Section> sections = sections_of(commands);
  std::string page(kStart);
  for (const Option& option : program_options()) page += paragraph(option);
  page += ".SH COMMANDS\n";
  for (const ListedCommand& command : commands) page += command_part(command, sections);
  for (const Section& section : sections) page += section_part(section);
  return page + std::string(kEnd);
}

}  // namespace mha::cli
