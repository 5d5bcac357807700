#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "options/values.h"

/// The options of a command as data: declared by the command with the variable that each one sets. The
/// command line, the help, the manual page and the completions are made of these declarations.
namespace mha::options {

/// What completes a value.
enum class Kind { kFlag, kAny, kChoice, kFile, kDirectory };

/// What an option has to do with --input.
enum class Input {
  kFree,      ///< nothing
  kItself,    ///< it is --input
  kRequires,  ///< it needs --input, and describes the same heads to other commands
  kExcludes,  ///< it is for the lesson's own heads
};

/// One option, or a positional argument.
struct Option {
  std::string name;   ///< `--T`; of a positional argument what messages call it, `exercise`
  std::string label;  ///< of its value, `N`; empty for a flag; how help writes a positional argument
  std::string help;
  std::string section = {};  ///< the heading that it is listed under in the help; empty for the first one
  Kind kind = Kind::kAny;
  std::vector<std::string> choices = {};  ///< where the value is one of them
  bool positional = false;
  bool repeats = false;  ///< a positional argument that may be given several times
  Input input = Input::kFree;
  bool shows_only = false;  ///< says how to show the result, and changes nothing in it
  bool reads_file = false;  ///< names a file that is read
  std::function<void(std::string_view text)> set = {};  ///< throws std::invalid_argument

  Option& with_input(Input relation) {
    input = relation;
    return *this;
  }
  Option& only_shows() {
    shows_only = true;
    return *this;
  }
  /// Added to the default that the help shows: what stands in its place in some case.
  Option& otherwise(const std::string& text);
  /// Instead of the default in the help.
  Option& default_is(const std::string& text);
};

class Options {
 public:
  /// What is declared from here on is listed under that heading in the help; "" goes back to the first one.
  void section(std::string heading) { section_ = std::move(heading); }

  /// An option that sets `value`, whose default the help shows.
  template <typename T>
  Option& add(std::string name, T& value, std::string label, std::string help) {
    Option& option = add_any(std::move(name), std::move(label), std::move(help), shown(value));
    option.set = [name = option.name, &value](std::string_view text) { parse(name, text, value); };
    return option;
  }

  /// One of the names of an enum, or a list of them; the help lists the names.
  template <typename T>
  Option& choice(std::string name, T& value, std::string help) {
    return choose(add(std::move(name), value, "NAME", std::move(help)), choices_of(value));
  }

  /// The name of a file that is read, or of a directory or file that is written; not looked at here.
  Option& input_file(std::string name, std::string& value, std::string help);
  Option& output(std::string name, std::string& value, Kind kind, std::string help);

  Option& flag(std::string name, bool& value, std::string help);

  /// An argument that belongs to no option: one of `choices`, set by its number from 0.
  Option& positional(std::string name, std::string label, std::vector<std::string> choices, std::string help,
                     std::function<void(std::size_t choice)> set);

  /// Something to be seen to when everything has been read: throws std::invalid_argument for options that do
  /// not go together.
  void check(std::function<void()> check) { checks_.push_back(std::move(check)); }

  /// In the order of their declaration.
  [[nodiscard]] const std::vector<Option>& all() const { return options_; }
  [[nodiscard]] const std::vector<std::function<void()>>& checks() const { return checks_; }

 private:
  template <typename T>
  static std::vector<std::string> choices_of(const T& value) {
    return texts_of(names_of(value));
  }
  template <typename T>
  static std::vector<std::string> choices_of(const std::optional<T>& /*value*/) {
    return texts_of(names_of(T{}));
  }
  template <typename T>
  static std::vector<std::string> choices_of(const std::vector<T>& /*value*/) {
    return texts_of(names_of(T{}));
  }
  Option& add_any(std::string name, std::string label, std::string help, const std::string& initial);
  static Option& choose(Option& option, std::vector<std::string> choices);

  std::string section_;
  std::vector<Option> options_;
  std::vector<std::function<void()>> checks_;
};

}  // namespace mha::options
