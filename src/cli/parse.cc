#include "cli/parse.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <stdexcept>
#include <utility>

#include "text/did_you_mean.h"
#include "text/quote.h"

namespace mha::cli {
namespace {

using options::Input;
using options::Kind;
using options::Option;

[[noreturn]] void refuse(const std::string& message) { throw std::invalid_argument(message); }

/// The command's options as CLI11 has them, in the order of their declaration. It finds which text belongs to
/// which option; the options turn texts into values.
class Parser {
 public:
  explicit Parser(const std::vector<Option>& declared) {
    app_.set_help_flag("--help,-h");
    app_.allow_extras();
    CLI::Option* input = nullptr;
    for (const Option& option : declared) {
      CLI::Option* made =
          option.kind == Kind::kFlag ? app_.add_flag(option.name) : app_.add_option(option.name);
      if (option.kind != Kind::kFlag) {
        made->type_size(1)->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
        if (option.repeats) made->allow_extra_args();
      } else {
        made->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
      }
      if (option.input == Input::kItself) input = made;
      options_.emplace_back(&option, made);
    }
    for (const auto& [option, made] : options_) {
      if (option->input == Input::kRequires) made->needs(input);
      if (option->input == Input::kExcludes) made->excludes(input);
    }
  }

  /// False when help was asked for.
  bool parse(const std::vector<std::string>& arguments) {
    refuse_wrong_equals(arguments);
    try {
      // CLI11 takes them last first.
      app_.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    } catch (const CLI::CallForHelp&) {
      return false;
    } catch (const CLI::ArgumentMismatch& e) {
      // CLI11 names the option first: "--T: 1 required N missing".
      const std::string what = e.what();
      refuse(fmt::format("{}: a value is missing", what.substr(0, what.find(':'))));
    } catch (const CLI::ExcludesError& e) {
      const std::string what = e.what();
      const std::string name = what.substr(0, what.find(' '));
      refuse(fmt::format("{}: is for the lesson's heads, not with --input",
                         name == "--input" ? what.substr(what.rfind(' ') + 1) : name));
    } catch (const CLI::ParseError& e) {
      refuse(e.what());
    }
    return true;
  }

  [[nodiscard]] std::vector<std::string> extras() const { return app_.remaining(); }

  [[nodiscard]] std::vector<Given> given() const {
    std::vector<Given> all;
    for (const auto& [option, made] : options_) {
      if (made->count() == 0) continue;
      all.push_back({option, option->kind == Kind::kFlag ? std::vector<std::string>() : made->results()});
    }
    return all;
  }

 private:
  /// CLI11 reads `--svg= --full` as it reads `--svg --full`: the value would be `--full`. It takes `--bias=7`
  /// for yes and `--bias=-7` for no, and can be talked out of all but `--bias=true`.
  void refuse_wrong_equals(const std::vector<std::string>& arguments) const {
    for (const std::string& argument : arguments) {
      const std::size_t equals = argument.find('=');
      if (equals == std::string::npos || !argument.starts_with('-')) continue;
      const std::string name = argument.substr(0, equals);
      const CLI::Option* option = app_.get_option_no_throw(name);
      if (option == nullptr) continue;
      if (option->get_expected_max() == 0) refuse(fmt::format("{}: takes no value", name));
      if (equals + 1 == argument.size()) refuse(fmt::format("{}: a value is missing", name));
    }
  }

  CLI::App app_;
  std::vector<std::pair<const Option*, CLI::Option*>> options_;
};

bool looks_like_an_option(const std::string& text) { return text.size() > 1 && text[0] == '-'; }

void refuse_unknown_options(const std::vector<std::string>& extras, const std::string& command,
                            const std::vector<Option>& declared) {
  for (const std::string& extra : extras) {
    if (!looks_like_an_option(extra)) continue;
    const std::string name = extra.substr(0, extra.find('='));
    std::vector<std::string> known = {"--help"};
    for (const Option& option : declared) {
      if (!option.positional) known.push_back(option.name);
    }
    const std::string hint = text::did_you_mean(name, known);
    refuse(fmt::format("unknown option {}{}", text::in_quotes(name),
                       hint.empty() ? fmt::format("; mha {} --help lists the options", command) : hint));
  }
}

void set(const Given& given) {
  const auto& [option, texts] = given;
  if (texts.size() > 1 && !option->positional)
    refuse(fmt::format("{}: given {} times, with {} and {}; give it once", option->name, texts.size(),
                       text::in_quotes(texts[0]), text::in_quotes(texts[1])));
  for (const std::string& text : texts) {
    // The name of a file may be anything, and would take the next option for itself.
    if (text.starts_with("--"))
      refuse(fmt::format("{}: a value is missing before {}", option->name, text::in_quotes(text)));
    option->set(text);
  }
  if (option->kind == Kind::kFlag) option->set("");
}

template <typename Keep>
std::string shell_words(const std::vector<Given>& given, const Keep& keep) {
  std::vector<std::string> positional;
  std::vector<std::string> words;
  for (const auto& [option, texts] : given) {
    if (!keep(*option)) continue;
    std::vector<std::string>& to = option->positional ? positional : words;
    if (!option->positional) to.push_back(option->name);
    for (const std::string& text : texts) to.push_back(text::shell_word(text));
  }
  positional.insert(positional.end(), words.begin(), words.end());
  return fmt::format("{}", fmt::join(positional, " "));
}

}  // namespace

std::optional<std::vector<Given>> parse(const std::string& command, const options::Options& options,
                                        const std::vector<std::string>& arguments) {
  Parser parser(options.all());
  if (!parser.parse(arguments)) return std::nullopt;
  const std::vector<std::string> extras = parser.extras();
  refuse_unknown_options(extras, command, options.all());
  std::vector<Given> given = parser.given();
  for (const Given& one : given) set(one);
  // Last: of `--T --gain 3`, where CLI11 takes `--gain` for the value, the stray 3 is not what went wrong.
  if (!extras.empty())
    refuse(fmt::format("unexpected argument {}; mha {} --help lists the options",
                       text::in_quotes(extras.front()), command));
  for (const auto& check : options.checks()) check();
  return given;
}

std::string command_line(const std::vector<Given>& given) {
  return shell_words(given, [](const Option& option) { return !option.shows_only; });
}

std::string input_options(const std::vector<Given>& given) {
  return shell_words(given, [](const Option& option) {
    return option.input == Input::kItself || option.input == Input::kRequires;
  });
}

}  // namespace mha::cli
