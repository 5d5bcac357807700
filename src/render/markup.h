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

/// Any text at all, safe to show: control characters and marks that change the writing direction become
/// U+FFFD, line ends stay.
Markup shown(std::string_view text);

/// A sentence of ours, with letters such as d_k and W_O set with a subscript.
Markup prose(std::string_view sentence);

inline std::string code_of(const Markup& markup) { return markup.code; }
inline std::string code_of(std::string_view text) { return shown(text).code; }

template <typename>
using Code = std::string;

/// The template filled in: markup as it is, text through shown(), so that text from people and files is never
/// taken for markup.
template <typename... Arguments>
Markup markup(fmt::format_string<Code<Arguments>...> page_template, const Arguments&... arguments) {
  return {fmt::format(page_template, code_of(arguments)...)};
}

}  // namespace mha::render
