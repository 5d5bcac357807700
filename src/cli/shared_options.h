#pragma once

#include <array>
#include <string>

#include "commands/commands.h"
#include "options/options.h"
#include "render/terminal/terminal.h"
#include "text/choice.h"

namespace mha::cli {

/// How to print the result.
enum class Format { kText, kJson, kNpz };
inline constexpr std::array kFormatNames = {"text", "json", "npz"};
constexpr text::Names names_of(Format) { return kFormatNames; }

/// When --plot has colours.
enum class ColorChoice { kAuto, kAlways, kNever };
inline constexpr std::array kColorChoiceNames = {"auto", "always", "never"};
constexpr text::Names names_of(ColorChoice) { return kColorChoiceNames; }

/// The options that every command takes, and those of commands with figures: how to compute and how to show
/// the result.
struct SharedOptions {
  Format format = Format::kText;
  bool full = false;
  std::optional<int> threads;  ///< one for each processor if unset
  bool plot = false;           ///< draw the figures after the text
  std::string svg;             ///< the directory for the figures' files; empty for none
  std::string html;            ///< the file for all of it as one page; empty for none
  std::string output;          ///< the .npz file for the arrays, or -; empty for none
  ColorChoice color = ColorChoice::kAuto;
};

void declare_shared(options::Options& options, const commands::Command& command, SharedOptions& chosen);

/// What standard output can show. Auto gives colours to a terminal, unless NO_COLOR is set to something
/// (no-color.org) or TERM says that it has none. COLORTERM says whether it knows 24-bit colours. The width is
/// the terminal's, otherwise 80.
render::Screen screen_of(ColorChoice color);

}  // namespace mha::cli
