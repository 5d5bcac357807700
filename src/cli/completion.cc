#include "cli/help.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>
#include <utility>
#include <vector>

#include "cli/shell_word.h"

namespace mha::cli {
namespace {

using options::Kind;
using options::Option;

std::vector<Option> all_of(const ListedCommand& command) {
  std::vector<Option> all = command.own;
  all.insert(all.end(), command.shared.begin(), command.shared.end());
  return all;
}

std::string header(std::string_view shell) {
  return fmt::format(
      "# Completion of mha in {0}, made from its table of commands by `mha --completion {0}`.\n", shell);
}

/// `text` with a backslash before each of `special`.
std::string escaped(std::string_view text, std::string_view special) {
  std::string result;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

// bash ------------------------------------------------------------------------------------------------

/// The arms of a `case "$option" in` that says what comes after each of the options.
std::string bash_values(const std::vector<Option>& options) {
  std::string arms;
  for (const Option& option : options) {
    if (option.positional || option.kind == Kind::kFlag) continue;
    const std::string offer =
        option.kind == Kind::kChoice
            ? fmt::format("words={}", single_quoted(fmt::format("{}", fmt::join(option.choices, " "))))
        : option.kind == Kind::kFile      ? "kind=-f"
        : option.kind == Kind::kDirectory ? "kind=-d"
                                          : "kind=none";
    arms += fmt::format("        {}) {} ;;\n", option.name, offer);
  }
  return arms;
}

std::string bash_arm(const std::string& name, const std::vector<Option>& options) {
  std::vector<std::string> names;
  std::vector<std::string> words;
  bool one_word = false;
  for (const Option& option : options) {
    if (option.positional) {
      one_word = !option.repeats;
      words.insert(words.end(), option.choices.begin(), option.choices.end());
    } else {
      names.push_back(option.name);
    }
  }
  const std::string once =
      one_word ? fmt::format("      if _mha_given {0}; then words=''; fi\n", fmt::join(words, " ")) : "";
  return fmt::format(
      "    {})\n"
      "      words='{}'\n{}"
      "      if [[ $word == -* ]]; then words='{}'; fi\n"
      "      case $option in\n{}      esac ;;\n",
      name, fmt::join(words, " "), once, fmt::join(names, " "), bash_values(options));
}

std::string bash() {
  std::vector<std::string> first;
  std::string arms;
  for (const ListedCommand& command : listed_commands()) {
    first.push_back(command.command->name);
    arms += bash_arm(command.command->name, all_of(command));
  }
  for (const Option& option : program_options()) first.push_back(option.name);
  // bash takes `--wo=mi` for three words, unless COMP_WORDBREAKS has no `=`.
  return header("bash") +
         "# Whether one of these words stands before the one that is completed.\n"
         "_mha_given() {\n"
         "  local given\n"
         "  for given in \"${COMP_WORDS[@]:2:COMP_CWORD-2}\"; do\n"
         "    if [[ \" $* \" == *\" $given \"* ]]; then return 0; fi\n"
         "  done\n"
         "  return 1\n"
         "}\n"
         "_mha() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD-1]} words='' kind=''\n"
         "  COMPREPLY=()\n"
         "  if [[ $word == = ]]; then\n"
         "    word=''\n"
         "  elif [[ $option == = ]]; then\n"
         "    option=${COMP_WORDS[COMP_CWORD-2]}\n"
         "  fi\n"
         "  if ((COMP_CWORD == 1)); then\n" +
         fmt::format("    words='{}'\n", fmt::join(first, " ")) +
         "  else\n"
         "    case ${COMP_WORDS[1]} in\n" +
         arms + "    --completion)\n      case $option in\n" + bash_values(program_options()) +
         "      esac ;;\n"
         "    esac\n"
         "  fi\n"
         "  case $kind in\n"
         "    none) ;;\n"
         "    '') mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\") ;;\n"
         "    *)\n"
         "      compopt -o filenames 2> /dev/null\n"
         "      mapfile -t COMPREPLY < <(compgen $kind -- \"$word\") ;;\n"
         "  esac\n"
         "}\n"
         "complete -F _mha mha\n";
}

// zsh -------------------------------------------------------------------------------------------------

/// What _arguments wants to know of the value: a message and where to take it from.
std::string zsh_value(const Option& entry) {
  switch (entry.kind) {
    case Kind::kFlag:
      return "";
    case Kind::kChoice:
      return fmt::format(":{}:({})", entry.label, fmt::join(entry.choices, " "));
    case Kind::kFile:
      return fmt::format(":{}:_files", entry.label);
    case Kind::kDirectory:
      return fmt::format(":{}:_files -/", entry.label);
    case Kind::kAny:
      break;
  }
  return fmt::format(":{}: ", entry.label);
}

std::string zsh_argument(const Option& entry) {
  if (entry.positional) return single_quoted((entry.repeats ? "*" : "1") + zsh_value(entry));
  return single_quoted(fmt::format("{}{}[{}]{}", entry.name, entry.kind == Kind::kFlag ? "" : "=",
                                   escaped(entry.help, "[]:\\"), zsh_value(entry)));
}

std::string zsh() {
  std::string commands;
  std::string arms;
  for (const ListedCommand& command : listed_commands()) {
    const auto& [name, summary] =
        std::pair<std::string, std::string>(command.command->name, command.command->summary);
    commands += "    " + single_quoted(name + ":" + escaped(summary, ":\\")) + "\n";
    arms += fmt::format("    {})\n      _arguments", name);
    for (const Option& entry : all_of(command)) arms += " \\\n        " + zsh_argument(entry);
    arms += " ;;\n";
  }
  std::string alone;
  std::string values;
  for (const Option& option : program_options()) {
    alone += "    " + single_quoted(option.name + ":" + escaped(option.help, ":\\")) + "\n";
    if (option.kind == Kind::kChoice)
      values += fmt::format("    {}) (( CURRENT == 3 )) && compadd -- {} ;;\n", option.name,
                            fmt::join(option.choices, " "));
  }
  return "#compdef mha\n" + header("zsh") +
         "_mha() {\n"
         "  if (( CURRENT == 2 )); then\n"
         "    local -a commands=(\n" +
         commands +
         "    )\n"
         "    local -a alone=(\n" +
         alone +
         "    )\n"
         "    _describe -t commands command commands\n"
         "    _describe -o -t options option alone\n"
         "    return\n"
         "  fi\n"
         "  case $words[2] in\n" +
         values +
         "    *) (( CURRENT-- )); shift words; _mha_command ;;\n"
         "  esac\n"
         "}\n"
         "_mha_command() {\n"
         "  case $words[1] in\n" +
         arms +
         "  esac\n"
         "}\n"
         "_mha \"$@\"\n";
}

// fish ------------------------------------------------------------------------------------------------

std::string fish_quoted(std::string_view text) { return "'" + escaped(text, "'\\") + "'"; }

std::string fish_value(const Option& entry) {
  switch (entry.kind) {
    case Kind::kFlag:
      return "";
    case Kind::kChoice:
      return fmt::format(" -x -a '{}'", fmt::join(entry.choices, " "));
    case Kind::kFile:
      return " -r -F";
    case Kind::kDirectory:
      return " -x -a '(__fish_complete_directories)'";
    case Kind::kAny:
      break;
  }
  return " -x";
}

std::string fish_line(const std::string& condition, const Option& entry) {
  std::string line = "complete -c mha -n " + fish_quoted(condition);
  line += entry.positional ? fmt::format(" -a '{}'", fmt::join(entry.choices, " "))
                           : " -l " + entry.name.substr(2) + fish_value(entry);
  return line + " -d " + fish_quoted(entry.help) + "\n";
}

std::string fish() {
  const std::string no_command = "test (count (commandline -opc)) -eq 1";
  std::string text = header("fish") +
                     "function __mha_command\n"
                     "  set -l words (commandline -opc)\n"
                     "  test (count $words) -ge 2; and test $words[2] = $argv[1]\n"
                     "end\n"
                     "function __mha_given\n"
                     "  for word in (commandline -opc)[3..]\n"
                     "    contains -- $word $argv; and return 0\n"
                     "  end\n"
                     "  return 1\n"
                     "end\n"
                     "complete -c mha -f\n";
  for (const Option& option : program_options()) {
    text += fish_line(no_command, option);
    // What it takes may come as a word of its own; the option alone is then no longer the last word.
    if (option.kind == Kind::kChoice)
      text += fmt::format(
          "complete -c mha -n {} -a '{}'\n",
          fish_quoted("__mha_command " + option.name + "; and test (count (commandline -opc)) -eq 2"),
          fmt::join(option.choices, " "));
  }
  for (const ListedCommand& listed : listed_commands()) {
    const commands::Command& command = *listed.command;
    text += fmt::format("complete -c mha -n {} -a {} -d {}\n", fish_quoted(no_command), command.name,
                        fish_quoted(command.summary));
    for (const Option& entry : all_of(listed)) {
      std::string condition = fmt::format("__mha_command {}", command.name);
      if (entry.positional && !entry.repeats)
        condition += fmt::format("; and not __mha_given {}", fmt::join(entry.choices, " "));
      text += fish_line(condition, entry);
    }
  }
  return text;
}

}  // namespace

std::string completion(const std::string& shell) {
  return shell == "bash" ? bash() : shell == "zsh" ? zsh() : fish();
}

}  // namespace mha::cli
