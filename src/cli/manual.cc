#include "cli/help.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

namespace mha::cli {
namespace {

using options::Option;

/// Text that is set as it is: the characters that groff takes for commands, or sets as others in print, by
/// their names.
std::string escaped(std::string_view text) {
  std::string page;
  for (const char c : text) {
    switch (c) {
      case '\\':
        page += "\\e";
        break;
      case '-':
        page += "\\-";
        break;
      case '\'':
        page += "\\(aq";
        break;
      case '"':
        page += "\\(dq";
        break;
      case '`':
        page += "\\(ga";
        break;
      case '^':
        page += "\\(ha";
        break;
      case '~':
        page += "\\(ti";
        break;
      case '.':
        page += page.empty() || page.back() == '\n' ? "\\&." : ".";
        break;
      default:
        page += c;
    }
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

std::string section_part(std::string_view heading, const std::vector<Option>& entries) {
  std::string upper(heading);
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  std::string page = fmt::format(".SH \"{}\"\n", escaped(upper));
  for (const Option& entry : entries) page += paragraph(entry);
  return page;
}

std::string joined_names(const std::vector<Option>& entries, std::string_view section) {
  std::vector<std::string> names;
  for (const Option& entry : entries) {
    if (entry.section == section) names.push_back(bold(entry.name));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

/// The entries of that section, the first of each name.
void add_new(const std::vector<Option>& entries, std::string_view section, std::vector<Option>& list) {
  for (const Option& entry : entries) {
    const auto same = [&](const Option& other) { return other.name == entry.name; };
    if (entry.section == section && std::none_of(list.begin(), list.end(), same)) list.push_back(entry);
  }
}

/// The headings other than the first one under which commands list their options, in the order of the table.
std::vector<std::string> sections_of(const std::vector<ListedCommand>& commands) {
  std::vector<std::string> sections;
  for (const ListedCommand& command : commands) {
    for (const Option& entry : command.own) {
      if (!entry.section.empty() && std::count(sections.begin(), sections.end(), entry.section) == 0)
        sections.push_back(entry.section);
    }
  }
  return sections;
}

std::string command_part(const ListedCommand& listed, const std::vector<std::string>& sections) {
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
  for (const std::string& section : sections) {
    const std::string names = joined_names(listed.own, section);
    if (!names.empty()) page += fmt::format(".PP\n{}: {}.\n", escaped(section), names);
  }
  page += fmt::format(".PP\nShared: {}.\n", joined_names(listed.shared, ""));
  page += ".PP\nExamples:\n.RS\n.nf\n";
  for (const char* example : command.examples) page += escaped(example) + "\n";
  return page + ".fi\n.RE\n";
}

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
  const std::vector<std::string> sections = sections_of(commands);
  std::string page =
      ".\\\" Made from the table of commands by `mha --man`.\n"
      ".TH MHA 1 \"\" \"mha " MHA_VERSION
      "\" \"User Commands\"\n"
      // No hyphens but those that are typed, no blanks but those that are written.
      ".nh\n.ad l\n"
      ".SH NAME\nmha \\- multi\\-head attention, made runnable\n"
      ".SH SYNOPSIS\n.B mha\n.I COMMAND\n[options]\n.br\n"
      ".B mha\n.I OPTION\n"
      ".SH DESCRIPTION\n"
      "Small hand\\-set heads whose every number can be checked, or heads of your own from a file.\n"
      "Without options a command prints what the lesson prints.\n"
      "Results go to standard output; everything else, in lines that begin with\n.BR mha: ,\n"
      "to standard error.\n"
      ".PP\nIn place of a command there can be one of these:\n";
  for (const Option& option : program_options()) page += paragraph(option);
  page += ".SH COMMANDS\n";
  for (const ListedCommand& command : commands) page += command_part(command, sections);
  for (const std::string& section : sections) {
    std::vector<Option> all;
    for (const ListedCommand& command : commands) add_new(command.own, section, all);
    page += section_part(section, all);
  }
  std::vector<Option> shared;
  for (const ListedCommand& command : commands) add_new(command.shared, "", shared);
  page += section_part("Shared options", shared);
  return page + std::string(kEnd);
}

}  // namespace mha::cli
