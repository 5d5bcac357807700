#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

/// HTML that is XML too, as text.
namespace mha::render {

/// Showable text with XML's special characters as entities.
std::string escaped(std::string_view showable_text);

struct Markup {
  std::string code;

  void operator+=(const Markup& more) { code += more.code; }
};

/// Text that may hold anything: control characters and marks that turn the direction of what follows show as
/// U+FFFD, line ends stay.
Markup shown(std::string_view text);

/// A sentence of ours, in which a letter with a subscript, such as d_k or W_O, is set as one.
Markup prose(std::string_view sentence);

inline std::string code_of(const Markup& markup) { return markup.code; }
inline std::string code_of(std::string_view text) { return shown(text).code; }

template <typename>
using Code = std::string;

/// The template with the arguments in its places: markup as it is, text by way of shown(). So nothing that
/// comes from people and files can be taken for markup.
template <typename... Arguments>
Markup markup(fmt::format_string<Code<Arguments>...> page_template, const Arguments&... arguments) {
  return {fmt::format(page_template, code_of(arguments)...)};
}

}  // namespace mha::render
