#include "cli/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "cli/did_you_mean.h"
#include "cli/in_quotes.h"
#include "cli/parse_values.h"
#include "cli/shell_word.h"
#include "render/text/number.h"

namespace mha::cli {
namespace {

std::string with_default(const std::string& help, const std::string& value,
                         const std::string& otherwise = "") {
  return fmt::format("{} (default: {}{}{})", help, value, otherwise.empty() ? "" : "; ", otherwise);
}

bool looks_like_an_option(const std::string& text) { return text.size() > 1 && text[0] == '-'; }

}  // namespace

Options::Options(const std::string& name, const std::string& summary,
                 const std::vector<std::string>& examples)
    : app_(summary, name), examples_(examples) {
  app_.set_help_flag("--help,-h");
  app_.allow_extras();
}

void Options::add(OptionEntry entry, Read read) {
  CLI::Option* option = app_.add_option(entry.name);
  option->type_size(1)->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  entries_.push_back(std::move(entry));
  reads_.emplace_back(option, std::move(read));
}

void Options::add_word(OptionEntry entry, Read read) {
  CLI::Option* option = app_.add_option(entry.name);
  if (entry.many) {
    option->allow_extra_args()->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  } else {
    option->expected(1);
  }
  entries_.push_back(std::move(entry));
  reads_.emplace_back(option, std::move(read));
}

void Options::whole(const std::string& name, Index& value, const std::string& label, const std::string& help,
                    const std::string& otherwise) {
  add(name, label, with_default(help, fmt::to_string(value), otherwise),
      [name, &value](const std::string& text) {
        value = static_cast<Index>(parse_count(name, text, 1, kLargestWhole));
      });
}

void Options::whole(const std::string& name, std::uint64_t& value, const std::string& label,
                    const std::string& help) {
  add(name, label, with_default(help, fmt::to_string(value)),
      [name, &value](const std::string& text) { value = parse_count(name, text, 1, kLargestWhole); });
}

void Options::whole(const std::string& name, std::optional<std::uint64_t>& value, const std::string& label,
                    const std::string& help) {
  add(name, label, help,
      [name, &value](const std::string& text) { value = parse_count(name, text, 1, kLargestWhole); });
}

void Options::whole(const std::string& name, std::optional<Index>& value, const std::string& label,
                    const std::string& help) {
  add(name, label, help, [name, &value](const std::string& text) {
    value = static_cast<Index>(parse_count(name, text, 1, kLargestWhole));
  });
}

void Options::whole(const std::string& name, int& value, int most, const std::string& label,
                    const std::string& help) {
  add(name, label, help, [name, &value, most](const std::string& text) {
    value = static_cast<int>(parse_count(name, text, 1, static_cast<std::uint64_t>(most)));
  });
}

void Options::wholes(const std::string& name, std::vector<std::uint64_t>& values, const std::string& help) {
  add(name, "LIST", with_default(help, fmt::format("{}", fmt::join(values, ","))),
      [name, &values](const std::string& text) { values = parse_counts(name, text, 1, kLargestWhole); });
}

void Options::wholes(const std::string& name, std::optional<std::vector<std::uint64_t>>& values,
                     const std::string& help) {
  add(name, "LIST", help,
      [name, &values](const std::string& text) { values = parse_counts(name, text, 1, kLargestWhole); });
}

void Options::wholes(const std::string& name, std::vector<int>& values, const std::function<int()>& most,
                     const std::string& help, const std::string& otherwise) {
  add(name, "LIST",
      values.empty() ? help : with_default(help, fmt::format("{}", fmt::join(values, ",")), otherwise),
      [name, &values, most](const std::string& text) {
        const std::vector<std::uint64_t> read =
            parse_counts(name, text, 1, static_cast<std::uint64_t>(most()));
        values.assign(read.begin(), read.end());
      });
}

void Options::number(const std::string& name, double& value, const std::string& label,
                     const std::string& help) {
  add(name, label, with_default(help, render::shortest(value)),
      [name, &value](const std::string& text) { value = parse_number(name, text); });
}

void Options::number(const std::string& name, std::optional<double>& value, const std::string& label,
                     const std::string& help) {
  add(name, label, help, [name, &value](const std::string& text) { value = parse_number(name, text); });
}

void Options::text(const std::string& name, std::string& value, const std::string& label,
                   const std::string& help) {
  add(name, label, help, [&value](const std::string& text) { value = text; });
}

void Options::texts(const std::string& name, std::vector<std::string>& values, const std::string& help) {
  add(name, "LIST", help, [&values](const std::string& text) {
    for (const std::string_view part : at_commas(text)) values.emplace_back(part);
  });
}

void Options::choice(const std::string& name, std::string& value, const std::vector<std::string>& choices,
                     const std::string& help) {
  const std::string listed = fmt::format("{}: {}", help, fmt::join(choices, ", "));
  add({section_, name, "NAME", value.empty() ? listed : with_default(listed, value),
       OptionEntry::Value::kChoice, choices},
      [name, &value, choices](const std::string& text) { value = parse_choice(name, text, choices); });
}

void Options::path(const std::string& name, std::string& value, const std::string& label,
                   const std::string& help) {
  const auto kind = label == "DIR" ? OptionEntry::Value::kDirectory : OptionEntry::Value::kFile;
  add({section_, name, label, help, kind}, [name, &value](const std::string& text) {
    if (text.empty()) throw std::invalid_argument(fmt::format("{}: '' is not a name", name));
    value = text;
  });
}

void Options::flag(const std::string& name, bool& value, const std::string& help) {
  // Set here and not by CLI11, which would do so before it finds that help was asked for.
  CLI::Option* flag = app_.add_flag(name);
  flag->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  flags_.emplace_back(flag, &value);
  entries_.push_back({section_, name, "", help});
}

void Options::word(const std::string& label, std::string& value, const std::vector<std::string>& choices,
                   const std::string& help) {
  add_word({section_, label, label, help, OptionEntry::Value::kChoice, choices, true},
           [label, &value, choices](const std::string& text) { value = parse_choice(label, text, choices); });
}

void Options::words(const std::string& label, std::vector<std::string>& values,
                    const std::vector<std::string>& choices, const std::string& help) {
  add_word({section_, label, label, help, OptionEntry::Value::kChoice, choices, true, true},
           [label, &values, choices](const std::string& text) {
             values.push_back(parse_choice(label, text, choices));
           });
}

/// CLI11 takes `--bias=7` for yes and `--bias=-7` for no, and can be talked out of all but `--bias=true`.
void refuse_value(const std::string& flag, const std::string& argument) {
  if (argument.rfind(flag + "=", 0) == 0)
    throw std::invalid_argument(fmt::format("{}: takes no value", flag));
}

void Options::refuse_values_of_flags(const std::vector<std::string>& arguments) const {
  for (const std::string& argument : arguments) {
    for (const auto& [flag, value] : flags_) refuse_value(flag->get_name(), argument);
    refuse_value("--help", argument);
  }
}

void Options::refuse_unknown_options() const {
  for (const std::string& extra : app_.remaining()) {
    if (!looks_like_an_option(extra)) continue;
    const std::string name = extra.substr(0, extra.find('='));
    std::vector<std::string> known;
    for (const CLI::Option* option : app_.get_options()) {
      if (!option->get_positional()) known.push_back("--" + option->get_lnames().front());
    }
    const std::string hint = did_you_mean(name, known);
    throw std::invalid_argument(
        fmt::format("unknown option {}{}", in_quotes(name),
                    hint.empty() ? fmt::format("; {} --help lists the options", app_.get_name()) : hint));
  }
}

void Options::refuse_stray_words() const {
  const std::vector<std::string> extras = app_.remaining();
  if (extras.empty()) return;
  throw std::invalid_argument(fmt::format("unexpected argument {}; {} --help lists the options",
                                          in_quotes(extras.front()), app_.get_name()));
}

/// CLI11 reads `--svg= --full` as it reads `--svg --full`: the value would be `--full`.
void Options::refuse_missing_values(const std::vector<std::string>& arguments) const {
  for (const std::string& argument : arguments) {
    if (argument.find('=') + 1 != argument.size()) continue;
    const std::string name = argument.substr(0, argument.size() - 1);
    const CLI::Option* option = app_.get_option_no_throw(name);
    if (looks_like_an_option(argument) && option != nullptr && option->get_expected_max() > 0)
      throw std::invalid_argument(fmt::format("{}: a value is missing", name));
  }
}

bool Options::read(const std::vector<std::string>& arguments) {
  refuse_missing_values(arguments);
  refuse_values_of_flags(arguments);
  try {
    app_.parse(
        std::vector<std::string>(arguments.rbegin(), arguments.rend()));  // CLI11 takes them last first
  } catch (const CLI::CallForHelp&) {
    return false;
  } catch (const CLI::ArgumentMismatch& e) {
    // CLI11 names the option first: "--T: 1 required N missing".
    const std::string what = e.what();
    throw std::invalid_argument(fmt::format("{}: a value is missing", what.substr(0, what.find(':'))));
  } catch (const CLI::ParseError& e) {
    throw std::invalid_argument(e.what());
  }
  refuse_unknown_options();
  for (const auto& [flag, value] : flags_) *value = *value || flag->count() > 0;
  for (const auto& [option, read] : reads_) {
    const std::vector<std::string> texts = option->results();
    if (texts.size() > 1 && !option->get_positional()) {
      throw std::invalid_argument(fmt::format("{}: given {} times, with {} and {}; give it once",
                                              option->get_name(), texts.size(), in_quotes(texts[0]),
                                              in_quotes(texts[1])));
    }
    for (const std::string& text : texts) {
      // The name of a file may be anything, and would take the next option for itself.
      if (text.rfind("--", 0) == 0)
        throw std::invalid_argument(
            fmt::format("{}: a value is missing before {}", option->get_name(), in_quotes(text)));
      read(text);
    }
  }
  // Last: of `--T --gain 3`, where CLI11 takes `--gain` for the value, the stray 3 is not what went wrong.
  refuse_stray_words();
  for (const auto& check : checks_) check(*this);
  return true;
}

bool Options::was_given(const std::string& name) const {
  const CLI::Option* option = app_.get_option_no_throw(name);
  return option != nullptr && option->count() > 0;
}

std::string Options::text_of(const std::string& name) const {
  return was_given(name) ? app_.get_option_no_throw(name)->results().back() : "";
}

std::string Options::given(const std::vector<std::string>& except) const {
  std::vector<std::string> words;
  std::vector<std::string> after;
  for (const CLI::Option* option : app_.get_options()) {
    const bool positional = option->get_positional();
    if (option->count() == 0 || std::count(except.begin(), except.end(), option->get_name()) > 0) continue;
    if (!positional) after.push_back(option->get_name());
    if (option->get_expected_max() == 0) continue;  // a flag has no value
    for (const std::string& text : option->results())
      (positional ? words : after).push_back(shell_word(text));
  }
  words.insert(words.end(), after.begin(), after.end());
  return fmt::format("{}", fmt::join(words, " "));
}

std::vector<OptionEntry> Options::entries() const {
  std::vector<OptionEntry> all = entries_;
  all.push_back({"", "--help", "", "show this help"});
  return all;
}

std::string Options::help() const {
  std::vector<OptionEntry> rows = entries();
  std::stable_partition(rows.begin(), rows.end(), [](const OptionEntry& row) { return row.section.empty(); });
  const auto left = [](const OptionEntry& row) {
    return row.word || row.label.empty() ? row.name : row.name + " " + row.label;
  };
  std::string words;
  std::size_t width = 0;
  for (const OptionEntry& row : rows) {
    if (row.word) words += fmt::format(" [{}{}]", row.name, row.many ? "…" : "");
    width = std::max(width, left(row).size());
  }

  std::string text = fmt::format("Usage: {}{} [options]\n\n{}\n\nOptions:\n", app_.get_name(), words,
                                 app_.get_description());
  std::string section;
  for (const OptionEntry& row : rows) {
    if (row.section != section) text += fmt::format("\n{}:\n", row.section);
    section = row.section;
    text += fmt::format("  {:<{}}  {}\n", left(row), width, row.help);
  }
  text += "\nExamples:\n";
  for (const std::string& example : examples_) text += fmt::format("  {}\n", example);
  return text;
}

}  // namespace mha::cli
