#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "attention/matrix.h"

namespace mha::cli {

/// One option, or a word that belongs to none, as data: for help, and for whatever else lists options.
struct OptionEntry {
  enum class Value { kNone, kAny, kChoice, kFile, kDirectory };

  std::string section;  ///< the head that it is listed under in the help; empty for the first one
  std::string name;     ///< `--T`; the label of a word
  std::string label;    ///< of its value, `N`; empty for a flag
  std::string help;
  Value value = Value::kNone;
  std::vector<std::string> choices = {};  ///< where the value is one of them
  bool word = false;                      ///< belongs to no option
  bool many = false;                      ///< a word that may be given several times
};

/// The options of one command: declared with the variable that each one sets, then read from arguments.
/// CLI11 finds which text belongs to which option; parse_values.h turns the texts into values, because
/// CLI11 takes `nan` for a number and lets `-1` wrap.
class Options {
 public:
  /// `summary` says what the command does, `examples` is a command line each.
  Options(const std::string& name, const std::string& summary, const std::vector<std::string>& examples);

  /// What is declared from here on is listed under that head in the help; "" goes back to the first one.
  void section(const std::string& head) { section_ = head; }

  /// `otherwise`, where it is not empty, is told after the default: what stands in its place in some case.
  void whole(const std::string& name, Index& value, const std::string& label, const std::string& help,
             const std::string& otherwise = "");
  void whole(const std::string& name, std::uint64_t& value, const std::string& label,
             const std::string& help);
  void whole(const std::string& name, std::optional<std::uint64_t>& value, const std::string& label,
             const std::string& help);
  void whole(const std::string& name, std::optional<Index>& value, const std::string& label,
             const std::string& help);
  void whole(const std::string& name, int& value, int most, const std::string& label,
             const std::string& help);
  void wholes(const std::string& name, std::vector<std::uint64_t>& values, const std::string& help);
  void wholes(const std::string& name, std::optional<std::vector<std::uint64_t>>& values,
              const std::string& help);
  /// `most` is asked when the list is read, after the options that were declared before it; `otherwise` as
  /// above.
  void wholes(const std::string& name, std::vector<int>& values, const std::function<int()>& most,
              const std::string& help, const std::string& otherwise = "");
  void number(const std::string& name, double& value, const std::string& label, const std::string& help);
  void number(const std::string& name, std::optional<double>& value, const std::string& label,
              const std::string& help);
  void text(const std::string& name, std::string& value, const std::string& label, const std::string& help);
  /// Texts with commas between.
  void texts(const std::string& name, std::vector<std::string>& values, const std::string& help);
  /// `value` is the default; none is told when it is empty.
  void choice(const std::string& name, std::string& value, const std::vector<std::string>& choices,
              const std::string& help);
  /// The name of a file, or of a directory where that is its label; it is not looked at here.
  void path(const std::string& name, std::string& value, const std::string& label, const std::string& help);
  void flag(const std::string& name, bool& value, const std::string& help);
  /// A word that belongs to no option, one of `choices`; `value` stays as it is when there is none.
  void word(const std::string& label, std::string& value, const std::vector<std::string>& choices,
            const std::string& help);
  /// Words that belong to no option, each one of `choices`.
  void words(const std::string& label, std::vector<std::string>& values,
             const std::vector<std::string>& choices, const std::string& help);

  /// Something to be seen to when everything has been read: throws std::invalid_argument for options that do
  /// not go together.
  void check(std::function<void(const Options&)> check) { checks_.push_back(std::move(check)); }

  /// Whether an option was among the arguments.
  [[nodiscard]] bool was_given(const std::string& name) const;

  /// Sets the variables. Returns false, having set nothing, when help was asked for. Throws
  /// std::invalid_argument for anything that is wrong with the arguments.
  bool read(const std::vector<std::string>& arguments);

  /// The text that an option was given, the last one; "" if it was not among the arguments.
  [[nodiscard]] std::string text_of(const std::string& name) const;

  /// The words that were read, as a shell would take them again: those that belong to no option, then the
  /// options, one blank between. Options of `except` are left out.
  [[nodiscard]] std::string given(const std::vector<std::string>& except) const;

  /// All that was declared, in that order, and `--help` at the end.
  [[nodiscard]] std::vector<OptionEntry> entries() const;

  /// What `--help` prints.
  [[nodiscard]] std::string help() const;

 private:
  using Read = std::function<void(const std::string& text)>;
  void add(OptionEntry entry, Read read);
  void add(const std::string& name, const std::string& label, const std::string& help, Read read) {
    add({section_, name, label, help, OptionEntry::Value::kAny}, std::move(read));
  }
  void add_word(OptionEntry entry, Read read);
  void refuse_missing_values(const std::vector<std::string>& arguments) const;
  void refuse_values_of_flags(const std::vector<std::string>& arguments) const;
  void refuse_unknown_options() const;
  void refuse_stray_words() const;

  CLI::App app_;
  std::string section_;
  std::vector<std::function<void(const Options&)>> checks_;
  std::vector<std::string> examples_;
  std::vector<OptionEntry> entries_;
  std::vector<std::pair<CLI::Option*, Read>> reads_;
  std::vector<std::pair<CLI::Option*, bool*>> flags_;
};

}  // namespace mha::cli
