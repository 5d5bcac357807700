#include "cli/help.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <string_view>
#include <vector>

#include "text/quote.h"

namespace mha::cli {
namespace {

using options::Kind;
using options::Option;

/// What each shell has to know of an option's value: `{0}` is its label, `{1}` its choices.
struct ValuePatterns {
  std::string_view bash;
  std::string_view zsh;  ///< for _arguments, a message and where to take it from
  std::string_view fish;
};

constexpr std::array<ValuePatterns, 5> kPatterns = {{
    {"", "", ""},                                                             // kFlag
    {"kind=none", ":{0}: ", " -x"},                                           // kAny
    {"words='{1}'", ":{0}:({1})", " -x -a '{1}'"},                            // kChoice
    {"kind=-f", ":{0}:_files", " -r -F"},                                     // kFile
    {"kind=-d", ":{0}:_files -/", " -x -a '(__fish_complete_directories)'"},  // kDirectory
}};

std::string joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, " ")); }

std::string value_of(const Option& option, std::string_view ValuePatterns::*shell) {
  const std::string_view pattern = kPatterns[static_cast<std::size_t>(option.kind)].*shell;
  return fmt::format(fmt::runtime(pattern), option.label, joined(option.choices));
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
    if (!option.positional && option.kind != Kind::kFlag)
      arms += fmt::format("        {}) {} ;;\n", option.name, value_of(option, &ValuePatterns::bash));
  }
  return arms;
}

std::string bash_arm(const ListedCommand& command) {
  std::vector<std::string> names;
  std::string words;
  std::string once;
  for (const Option& option : command.all()) {
    if (!option.positional) {
      names.push_back(option.name);
      continue;
    }
    words = joined(option.choices);
    if (!option.repeats) once = fmt::format("      if _mha_given {}; then words=''; fi\n", words);
  }
  return fmt::format(
      "    {})\n"
      "      words='{}'\n{}"
      "      if [[ $word == -* ]]; then words='{}'; fi\n"
      "      case $option in\n{}      esac ;;\n",
      command.command->name, words, once, joined(names), bash_values(command.all()));
}

std::string bash() {
  std::vector<std::string> first;
  std::string arms;
  for (const ListedCommand& command : listed_commands()) {
    first.push_back(command.command->name);
    arms += bash_arm(command);
  }
  for (const Option& option : program_options()) first.push_back(option.name);
  // bash takes `--wo=mi` for three words, unless COMP_WORDBREAKS has no `=`.
  return fmt::format(R"({}# Whether one of these words stands before the one that is completed.
_mha_given() {{
  local given
  for given in "${{COMP_WORDS[@]:2:COMP_CWORD-2}}"; do
    if [[ " $* " == *" $given "* ]]; then return 0; fi
  done
  return 1
}}
_mha() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} option=${{COMP_WORDS[COMP_CWORD-1]}} words='' kind=''
  COMPREPLY=()
  if [[ $word == = ]]; then
    word=''
  elif [[ $option == = ]]; then
    option=${{COMP_WORDS[COMP_CWORD-2]}}
  fi
  if ((COMP_CWORD == 1)); then
    words='{}'
  else
    case ${{COMP_WORDS[1]}} in
{}    --completion)
      case $option in
{}      esac ;;
    esac
  fi
  case $kind in
    none) ;;
    '') mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word") ;;
    *)
      compopt -o filenames 2> /dev/null
      mapfile -t COMPREPLY < <(compgen $kind -- "$word") ;;
  esac
}}
complete -F _mha mha
)",
                     header("bash"), joined(first), arms, bash_values(program_options()));
}

// zsh -------------------------------------------------------------------------------------------------

std::string zsh_argument(const Option& option) {
  const std::string value = value_of(option, &ValuePatterns::zsh);
  if (option.positional) return text::single_quoted((option.repeats ? "*" : "1") + value);
  return text::single_quoted(fmt::format("{}{}[{}]{}", option.name, option.kind == Kind::kFlag ? "" : "=",
                                         escaped(option.help, "[]:\\"), value));
}

/// A line of an array for _describe.
std::string zsh_described(const std::string& word, const std::string& meaning) {
  return "    " + text::single_quoted(word + ":" + escaped(meaning, ":\\")) + "\n";
}

std::string zsh() {
  std::string commands;
  std::string arms;
  for (const ListedCommand& listed : listed_commands()) {
    const commands::Command& command = *listed.command;
    commands += zsh_described(command.name, command.summary);
    arms += fmt::format("    {})\n      _arguments", command.name);
    for (const Option& option : listed.all()) arms += " \\\n        " + zsh_argument(option);
    arms += " ;;\n";
  }
  std::string alone;
  std::string values;
  for (const Option& option : program_options()) {
    alone += zsh_described(option.name, option.help);
    if (option.kind == Kind::kChoice)
      values += fmt::format("    {}) (( CURRENT == 3 )) && compadd -- {} ;;\n", option.name,
                            joined(option.choices));
  }
  return fmt::format(R"(#compdef mha
{}_mha() {{
  if (( CURRENT == 2 )); then
    local -a commands=(
{}    )
    local -a alone=(
{}    )
    _describe -t commands command commands
    _describe -o -t options option alone
    return
  fi
  case $words[2] in
{}    *) (( CURRENT-- )); shift words; _mha_command ;;
  esac
}}
_mha_command() {{
  case $words[1] in
{}  esac
}}
_mha "$@"
)",
                     header("zsh"), commands, alone, values, arms);
}

// fish ------------------------------------------------------------------------------------------------

std::string fish_quoted(std::string_view text) { return "'" + escaped(text, "'\\") + "'"; }

std::string fish_line(const std::string& condition, const Option& option) {
  std::string line = "complete -c mha -n " + fish_quoted(condition);
  line += option.positional ? fmt::format(" -a '{}'", joined(option.choices))
                            : " -l " + option.name.substr(2) + value_of(option, &ValuePatterns::fish);
  return line + " -d " + fish_quoted(option.help) + "\n";
}

std::string fish() {
  const std::string no_command = "test (count (commandline -opc)) -eq 1";
  std::string script = header("fish") + R"(function __mha_command
  set -l words (commandline -opc)
  test (count $words) -ge 2; and test $words[2] = $argv[1]
end
function __mha_given
  for word in (commandline -opc)[3..]
    contains -- $word $argv; and return 0
  end
  return 1
end
complete -c mha -f
)";
  for (const Option& option : program_options()) {
    script += fish_line(no_command, option);
    // What it takes may come as a word of its own; the option alone is then no longer the last word.
    if (option.kind == Kind::kChoice)
      script += fmt::format(
          "complete -c mha -n {} -a '{}'\n",
          fish_quoted("__mha_command " + option.name + "; and test (count (commandline -opc)) -eq 2"),
          joined(option.choices));
  }
  for (const ListedCommand& listed : listed_commands()) {
    const commands::Command& command = *listed.command;
    script += fmt::format("complete -c mha -n {} -a {} -d {}\n", fish_quoted(no_command), command.name,
                          fish_quoted(command.summary));
    for (const Option& option : listed.all()) {
      std::string condition = fmt::format("__mha_command {}", command.name);
      if (option.positional && !option.repeats)
        condition += "; and not __mha_given " + joined(option.choices);
      script += fish_line(condition, option);
    }
  }
  return script;
}

}  // namespace

std::string completion(const std::string& shell) {
  return shell == "bash" ? bash() : shell == "zsh" ? zsh() : fish();
}

}  // namespace mha::cli
